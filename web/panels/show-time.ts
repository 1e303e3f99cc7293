const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time as the reader's system writes it. */
export function showTime(time: string): string {
  return format.format(new Date(time));
}
