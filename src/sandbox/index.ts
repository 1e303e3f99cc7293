export {
  describeRecord,
  formatAsJson,
  formatAsText,
  formatListAsJson,
  formatListAsText,
  toExitCode,
} from "./describe.ts";
export { applyVariables } from "./environment.ts";
export { openSandbox, type Sandbox, SandboxError, tryOpenSandbox } from "./open.ts";
export { parseManager, parseMonitors, parseSize } from "./options.ts";
export { findApp } from "./programs.ts";
export { findSandbox, listSandboxes, stopSandbox } from "./running.ts";
export { parseSession } from "./sessions.ts";
