/** Where this process was called; one that was deleted meanwhile names nothing. */
export function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
