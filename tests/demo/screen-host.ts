import type { CallReply, CallRequest, Host } from "../../src/host/port.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { type Failure, fail, makeFailure, succeed } from "../../src/model/failure.ts";

/** A control on a screen in memory. Pressing it runs `press`, whose result is added to the effect. */
export interface Control {
  readonly id: number;
  readonly role: string;
  name: string;
  readonly app: string;
  window: string;
  value?: string;
  /** The id that its application gave it. */
  readonly own?: string;
  press?: () => Record<string, unknown>;
  failure?: Failure | undefined;
}

export interface ScreenHost extends Host {
  readonly calls: CallRequest[];
  readonly controls: Control[];
  readonly recalled: RecordedAction[];
  /** What the screen shows, as a PNG file; it begins at 0,0. */
  picture: Uint8Array | undefined;
  /** Called before each look, to let things change meanwhile. */
  onLook: () => void;
}

function describe(control: Control | undefined) {
  return { platformId: control?.own ?? "", value: control?.value ?? "" };
}

/** A host that finds controls by role and name, and sets, presses and lists them. */
export function makeScreenHost(controls: Control[]): ScreenHost {
  const calls: CallRequest[] = [];
  const recalled: RecordedAction[] = [];
  const answer = (data: Record<string, unknown>, exitCode = 0): CallReply => ({
    outputs: {},
    data,
    exitCode,
    warnings: [],
  });
  const refuse = (failure: Failure): CallReply => ({ outputs: {}, failure, exitCode: 1, warnings: [] });
  const windows = () =>
    [...new Map(controls.map(({ app, window }) => [`${app} ${window}`, { app, title: window }])).values()].map(
      (one, id) => ({
        ...one,
        id,
        bounds: [0, 0, 800, 600],
      }),
    );
  const host: ScreenHost = {
    calls,
    controls,
    recalled,
    picture: undefined,
    onLook: () => {},
    async call(request, { signal } = {}) {
      calls.push(request);
      if (signal?.aborted === true) return refuse(makeFailure("CANCELLED", "cancelled"));
      const { tool, input } = request;
      if (tool === "locate") {
        host.onLook();
        const ref = JSON.parse(String(input.ref));
        const fit = controls.filter(
          (one) =>
            (ref.role ?? one.role) === one.role &&
            (ref.name ?? one.name) === one.name &&
            (ref.app ?? one.app) === one.app &&
            (input.windowId === undefined || windows()[Number(input.windowId)]?.title === one.window),
        );
        const [only] = fit;
        if (only === undefined) return answer({ verdict: "not-found", nearest: controls });
        if (fit.length > 1) return answer({ verdict: "ambiguous", nearest: fit });
        return answer({ verdict: "match", ...only, press: undefined });
      }
      if (tool === "find") {
        const fit = controls.filter((one) => one.own?.includes(String(input.words)) && one.role === input.role);
        return answer({
          matches: fit.map((one) => ({ i: one.id, r: one.role, t: one.name, app: one.app, window: one.window })),
        });
      }
      if (tool === "element") return answer({ now: describe(controls.find(({ id }) => id === input.id)) });
      if (tool === "list") return answer({ windows: windows().filter(({ app }) => app === (input.app ?? app)) });
      if (tool === "read") {
        const title = windows()[Number(input.windowId)]?.title;
        const own = controls.filter(({ window }) => window === title);
        return answer({ elements: own.map(({ id, role, name }) => ({ i: id, r: role, t: name })) });
      }
      if (tool === "screenshot") {
        if (host.picture === undefined) return refuse(makeFailure("UNAVAILABLE", "there is no picture"));
        return answer({ origin: { x: 0, y: 0 }, data: Buffer.from(host.picture).toString("base64") });
      }
      if (tool === "expect") return answer({ met: false }, 1);
      const control = controls.find(({ id }) => id === input.id);
      if (control === undefined) return answer({ effect: "confirmed", way: "keys", delivered: true });
      if (control.failure !== undefined) return refuse(control.failure);
      if (input.dryRun === true) return answer({ effect: "would", way: "action", delivered: false });
      if (tool === "set-value") control.value = String(input.text);
      return answer({ effect: "confirmed", way: "action", delivered: true, ...control.press?.() });
    },
    async *listen() {},
    async *send() {},
    async *watch(_request, signal) {
      yield succeed([]);
      if (!signal.aborted) yield succeed([]);
    },
    async *observe() {
      yield fail(makeFailure("UNAVAILABLE", "nothing"));
    },
    recall: async () => succeed(recalled),
    ring: async () => succeed({ isOn: false, minutes: 0, steps: 0 }),
    begin: async () => fail(makeFailure("UNAVAILABLE", "nothing")),
    end: async () => succeed(undefined),
    close: async () => {},
  };
  return host;
}
