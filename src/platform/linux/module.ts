import type { PlatformModule } from "../module.ts";

const loadPlatform = () => import("./open.ts");
const serveTimeoutMs = 5000;

/** Each part is loaded when it is needed. */
export const linux: PlatformModule = {
  open: async (options) => (await loadPlatform()).openLinux(options),
  openLive: async (options) => (await loadPlatform()).openLinuxLive(options),
  openHands: async (platform) => (await loadPlatform()).openLinuxHands(platform),
  diagnose: async (options) => (await import("./doctor/examine.ts")).examineLinux(options),
  listenForStopKeys: async (env, onPressed) => (await import("./x11/stop-keys.ts")).listenForStopKeys(env, onPressed),
  serveSelection: async (env, selection, text) => {
    const [{ holdSelection }, { XConnection }] = await Promise.all([
      import("./x11/hold-selection.ts"),
      import("./x11/connection.ts"),
    ]);
    const x = await XConnection.connect(env, serveTimeoutMs);
    try {
      await holdSelection(x, selection, text, serveTimeoutMs);
    } finally {
      x.close();
    }
  },
  releaseInput: async (undo, env) => (await import("./x11/undo.ts")).releaseInput(undo, env),
};
