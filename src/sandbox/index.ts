export { parseBind } from "./boundary-request.ts";
export {
  describeBoundary,
  describeRecord,
  formatAsJson,
  formatAsText,
  formatListAsJson,
  formatListAsText,
  toExitCode,
} from "./describe.ts";
export { chooseInside, findShown } from "./enter.ts";
export { applyInside, applyVariables } from "./environment.ts";
export { type OpenOptions, openSandbox, type Sandbox, SandboxError, tryOpenSandbox } from "./open.ts";
export { parseManager, parseMonitors, parseSize } from "./options.ts";
export { findApp } from "./programs.ts";
export { runWithin } from "./run-inside.ts";
export { findSandbox, listSandboxes, stopSandbox } from "./running.ts";
export { parseSession } from "./sessions.ts";
