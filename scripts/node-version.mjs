const OLDEST_MAJOR = 20;

export function explainOldNode(version) {
  const major = Number.parseInt(version, 10);
  if (major >= OLDEST_MAJOR) return undefined;
  return [
    `Deskmap needs Node ${OLDEST_MAJOR} or newer; this is Node ${version}.`,
    "Debian 12's own nodejs package is version 18. A newer Node is at https://nodejs.org/en/download",
  ].join("\n");
}
