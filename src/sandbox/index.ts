export {
  describeRecord,
  formatAsJson,
  formatAsText,
  formatListAsJson,
  formatListAsText,
  toExitCode,
} from "./describe.ts";
export { applyVariables } from "./environment.ts";
export { SandboxError } from "./errors.ts";
export { parseMonitors } from "./monitors.ts";
export { openSandbox, type Sandbox, tryOpenSandbox } from "./open.ts";
export { parseManager, parseSize } from "./options.ts";
export { findApp } from "./programs.ts";
export { findSandbox, listSandboxes, stopSandbox } from "./running.ts";
export { parseSession } from "./sessions.ts";
