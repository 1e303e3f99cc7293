import { spawnSync } from "node:child_process";
import { LocalHost } from "../../src/host/local-host.ts";
import { openRuntime } from "../../src/host/runtime.ts";
import type { Drawing } from "../../src/model/drawing.ts";
import { succeed } from "../../src/model/failure.ts";
import { compose } from "../../src/overlay/compose.ts";
import { OverlayController } from "../../src/overlay/controller.ts";
import type { DrawingSurface, LivePlatform, Picker } from "../../src/platform/port.ts";

// Draws marks over all open windows, moves one window and hovers over the marks; prints, as JSON, how long each took until
// it was on the display.

const [title = "", repeatsText = "20"] = process.argv.slice(2);
const repeats = Number(repeatsText);
const patienceMs = 2000;
const restMs = 600;

const draws: { readonly doneAtMs: number; readonly drawings: readonly Drawing[] }[] = [];
let surface: DrawingSurface | undefined;
let picker: Picker | undefined;

/** Records the drawing surface, the picker and every draw. */
function recordDraws(live: LivePlatform): LivePlatform {
  const openDrawingSurface: LivePlatform["openDrawingSurface"] = async () => {
    const opened = await live.openDrawingSurface();
    if (!opened.ok) return opened;
    const own = opened.value;
    surface = own;
    return succeed<DrawingSurface>({
      draw: async (drawings) => {
        await own.draw(drawings);
        draws.push({ doneAtMs: performance.now(), drawings });
      },
      measure: (text) => own.measure(text),
      pick: (given) => {
        picker = given;
        return own.pick(given);
      },
      onRenewed: (listener) => own.onRenewed(listener),
      close: () => own.close(),
    });
  };
  return { ...live, openDrawingSurface };
}

async function until(isTrue: () => boolean): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (!isTrue() && performance.now() < deadline) await Bun.sleep(1);
  return isTrue();
}

const base = openRuntime(process.env, 4000);
const opened = await base.openPlatform();
if (!opened.ok) throw new Error(opened.failure.message);
const live = recordDraws(opened.value);
const openPlatform = async () => succeed(live);
const runtime = { ...base, openPlatform, overlay: new OverlayController(openPlatform) };
const host = new LocalHost({ ...process.env, DESKMAP_CLIENT: "bench" }, runtime);
const call = (what: string) => host.call({ tool: "overlay", input: { what }, formats: ["json"] });

const on = await call("on");
if (on.failure !== undefined) throw new Error(on.failure.message);
// Until the slowest application has been read.
for (let known = -1; known !== draws.length; ) {
  known = draws.length;
  await Bun.sleep(3 * restMs);
}
const all = draws.at(-1)?.drawings ?? [];
const boxes = all.flatMap((one) =>
  one.kind === "box" ? [{ mark: Number(one.key.slice(4)), bounds: one.bounds }] : [],
);

const [gone, back]: [number[], number[]] = [[], []];
for (let round = 0; round < repeats; round += 1) {
  const known = draws.length;
  spawnSync("xdotool", ["search", "--name", `^${title}$`, "windowmove", String(20 + (round % 2) * 40), "60"]);
  const movedAtMs = performance.now();
  const isBack = await until(() => draws.length > known && draws.at(-1)?.drawings.length === all.length);
  const [first, last] = [draws[known], draws.at(-1)];
  if (isBack && first !== undefined && last !== undefined) {
    gone.push(Math.max(0, first.doneAtMs - movedAtMs));
    back.push(last.doneAtMs - movedAtMs);
  }
  await Bun.sleep(restMs);
}

const picking = call("pick");
await until(() => picker !== undefined);
await Bun.sleep(restMs);
const hover: number[] = [];
for (let round = 0; round < repeats * 3; round += 1) {
  const bounds = boxes[(round * 7) % boxes.length]?.bounds;
  if (bounds === undefined) break;
  const [known, startedAtMs] = [draws.length, performance.now()];
  picker?.onMove({ x: bounds.x + 10, y: bounds.y + 10 });
  if (await until(() => draws.length > known)) hover.push((draws[known]?.doneAtMs ?? 0) - startedAtMs);
}
picker?.onLeave("person");
await picking;

/** All marks, a pixel farther each time. */
const update: number[] = [];
const list = await live.listWindows();
const monitors = list.ok ? list.value.monitors.map((one) => one.bounds) : [];
const screen = list.ok ? list.value.screen : { x: 0, y: 0, width: 1, height: 1 };
for (let round = 0; round < repeats && surface !== undefined; round += 1) {
  const own = surface;
  const startedAtMs = performance.now();
  const marks = boxes.map(({ mark, bounds }) => ({
    mark,
    bounds: { ...bounds, x: bounds.x + (round % 10) },
    windowId: 1,
    pid: 1,
    isInMenu: false,
  }));
  const surfaces = [{ windowId: 1, pid: 1, bounds: screen, opaque: [screen] }];
  const stock = { marks, anchors: new Map(), annotations: [] };
  await own.draw(compose(stock, { surfaces, monitors }, (text) => own.measure(text)).drawings);
  update.push(performance.now() - startedAtMs);
}
await call("off");
console.log(JSON.stringify({ marks: boxes.length, gone, back, hover, update }));
process.exit(0);
