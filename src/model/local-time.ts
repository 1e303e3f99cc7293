/** Local time with zone: 2031-04-05 16:07:08 +02:00. */
export function showLocalTime(atMs: number): string {
  const date = new Date(atMs);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  const eastMinutes = -date.getTimezoneOffset();
  const shifted = new Date(atMs + eastMinutes * 60_000).toISOString().slice(0, 19).replace("T", " ");
  const far = Math.abs(eastMinutes);
  const zone = [Math.floor(far / 60), far % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${shifted} ${eastMinutes < 0 ? "-" : "+"}${zone}`;
}
