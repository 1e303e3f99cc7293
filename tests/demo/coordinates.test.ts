import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDemo } from "../../src/demo/make.ts";
import { printReport } from "../../src/demo/replay/print-report.ts";
import { replay } from "../../src/demo/replay/replay.ts";
import { decode } from "../../src/picture/decode.ts";
import { encodePng } from "../../src/picture/encode.ts";
import { draw } from "../picture/pictures.ts";
import { makeAction } from "./actions.ts";
import { makeScreenHost, type ScreenHost } from "./screen-host.ts";

const only = makeDemo([makeAction({ ref: undefined, evidence: undefined })], { name: "x" });
let screen: ScreenHost;
beforeEach(() => {
  screen = makeScreenHost([{ id: 1, role: "button", name: "Save", app: "form", window: "Form" }]);
});
const looking = new Set(["list", "read", "screenshot"]);
const acted = (): string[] => screen.calls.map(({ tool }) => tool).filter((tool) => !looking.has(tool));

describe("with a picture", () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-look-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const bbox: [number, number, number, number] = [0, 0, 400, 300];
  const pictured = {
    ...only,
    steps: only.steps.map((step) => ({ ...step, picture: { file: "1.png", bbox } })),
  };
  /** A button with some writing at the recorded point, or elsewhere. */
  const paint = (left: number, ink = 20) =>
    encodePng(
      draw(400, 300, (x, y) => {
        const isInk = x >= left && x < left + 60 && y > 25 && y < 45 && (x + y) % 3 === 0;
        return isInk ? [ink, ink, ink] : [240, 240, 240];
      }),
    );
  const see = (picture: Uint8Array, more = {}) => {
    screen.picture = picture;
    const how = { timeoutMs: 20, allowsCoordinates: true, pictures: folder, ...more };
    return replay(pictured, { host: screen, values: {}, ...how });
  };

  test("it goes on only where that looks the same", async () => {
    writeFileSync(join(folder, "1.png"), paint(30));
    expect((await see(paint(200))).stop).toMatchObject({
      failure: { message: "what is at the point 60,35 does not look as it did when it was recorded" },
    });
    expect(acted()).toEqual([]);
    expect((await see(paint(30, 28))).stop).toBeUndefined();
    expect(acted()).toEqual(["click"]);
  });

  test("a damaged picture is none", async () => {
    writeFileSync(join(folder, "1.png"), "no picture");
    expect((await see(paint(30))).stop?.failure.message).toBe("the picture of the step, 1.png, cannot be read");
  });

  test("a stop shows the window beside what was recorded", async () => {
    writeFileSync(join(folder, "1.png"), paint(30));
    const report = await see(paint(200), { picturesStop: true });
    expect(report.stop?.pictures?.now).toBe(Buffer.from(paint(200)).toString("base64"));
    const crop = await decode(Buffer.from(report.stop?.pictures?.recorded ?? "", "base64"));
    expect([crop.width, crop.height]).toEqual([400, 300]);
    const page = printReport("html", pictured, [report]);
    expect(page.match(/<img src="data:image\/png;base64,[^"]+" alt="[^"]+">/g)?.length).toBe(2);
    expect(JSON.parse(printReport("json", pictured, [report])).runs[0].stop.pictures).toEqual(report.stop?.pictures);
    expect(printReport("junit", pictured, [report])).not.toContain(report.stop?.pictures?.now ?? "?");
    expect((await see(paint(200))).stop?.pictures).toBeUndefined();
  });
});
