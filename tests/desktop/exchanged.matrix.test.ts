import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { casesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// The same living object has the same mark, whatever its words are. The programs record which object was pressed.

const fixture = join(import.meta.dir, "../fixtures/apps/exchanged.py");

interface Shown {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

let scene: Scene;

function read(...where: string[]): readonly Shown[] {
  const { stdout, stderr } = scene.deskmap("read", ...where, "--compact");
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).elements;
}

function listMarks(all: readonly Shown[], ...names: string[]): readonly (number | undefined)[] {
  return names.map((name) => all.find(({ r, t }) => (r === "btn" || r === "tab") && t === name)?.i);
}

describe.each([...casesOf(["gtk4", "qt5"], ["gtk3"])])("in %s", (toolkit) => {
  let state: string;
  beforeAll(async () => {
    scene = await openScene();
    state = join(scene.sandbox.env.HOME ?? "", "state");
    await scene.start(["/usr/bin/python3", fixture, state, "Exchanged", toolkit], "Exchanged");
    await scene.settle();
  });
  afterAll(() => scene.close());

  const inWindow = ["--window", "Exchanged"];
  const listPresses = (): readonly string[] => JSON.parse(readFileSync(state, "utf8")).presses;

  test("two buttons that exchange their labels keep their marks, and a mark presses what it pressed before", () => {
    const [first, second] = listMarks(read(...inWindow), "Start", "Stop");
    expect(first).toBeGreaterThan(0);
    const { status, stdout } = scene.deskmap("click", "Exchange", ...inWindow);
    expect(status).toBe(0);
    const { evidence, changes } = JSON.parse(stdout);
    expect(evidence).toContain('the name of btn "Start" is "Stop" now');
    expect(changes.changed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ i: first, name: ["Start", "Stop"] }),
        expect.objectContaining({ i: second, name: ["Stop", "Start"] }),
      ]),
    );
    expect(listMarks(read(...inWindow), "Stop", "Start")).toEqual([first, second]);
    expect(scene.deskmap("click", "--id", String(first), ...inWindow).stdout).toContain('"t":"Stop"');
    expect(listPresses()).toEqual(["first"]);
    // So soon after another press, its effect may be unverified.
    expect([0, 4]).toContain(scene.deskmap("click", "Exchange", ...inWindow).status);
    expect(listMarks(read(...inWindow), "Start", "Stop")).toEqual([first, second]);
  });

  test("a mark whose label was exchanged since it was shown presses nothing", () => {
    const [first] = listMarks(read(...inWindow), "Start");
    const before = listPresses();
    const steps = `click Exchange --window Exchanged\nclick --id ${first}`;
    // So soon after another press, the effect of the first step may be unverified, which would end the batch.
    const { status, stdout } = scene.deskmap("do", "--steps", steps, "--keep-going");
    expect([status === 0, listPresses()]).toEqual([false, before]);
    expect(stdout).toContain("NOT_FOUND");
  });

  test("tabs that change places keep their marks", () => {
    const marks = listMarks(read(...inWindow), "Mail", "News");
    expect(marks).not.toContain(undefined);
    scene.deskmap("click", "Move", ...inWindow);
    const after = read(...inWindow);
    expect(after.flatMap(({ r, t }) => (r === "tab" ? [t] : []))).toEqual(["News", "Mail"]);
    expect(listMarks(after, "Mail", "News")).toEqual(marks);
  });
});

const page = `<!doctype html><title>Exchanged page</title>
<p><button>Start</button></p><p><button>Stop</button></p><p><button>Play</button></p>
<script>
  const [first, second, play] = document.querySelectorAll("button");
  play.onclick = () => { play.textContent = play.textContent === "Play" ? "Pause" : "Play"; };
  addEventListener("keydown", ({ key }) => {
    if (key === "F8") [first.textContent, second.textContent] = [second.textContent, first.textContent];
  });
</script>`;
const browsers = { chromium: prepareChromium(page), firefox: prepareFirefox(page) };
afterAll(() => {
  for (const { remove } of Object.values(browsers)) remove();
});

describe.each([...casesOf(["chromium"] as const, ["firefox"] as const)])("in a page of %s", (app) => {
  beforeAll(async () => {
    scene = await openScene();
    await scene.start(browsers[app].command, "Exchanged page");
    await scene.settle();
    await waitFor("the page", () => listMarks(read("--app", app), "Start")[0] !== undefined);
  });
  afterAll(() => scene.close());

  test("a button that renames itself has one mark, and so have two that exchange their labels", async () => {
    const [first, second, play] = listMarks(read("--app", app), "Start", "Stop", "Play");
    for (const name of ["Pause", "Play", "Pause"]) {
      expect(scene.deskmap("click", "--id", String(play)).status).toBe(0);
      expect(listMarks(read("--app", app), name)).toEqual([play]);
    }
    const isSwapped = (): boolean => {
      const names = read("--app", app).flatMap(({ r, t = "" }) => (r === "btn" ? [t] : []));
      return names.indexOf("Stop") < names.indexOf("Start");
    };
    scene.run("xdotool", "key", "F8");
    await waitFor("other labels", isSwapped);
    expect(listMarks(read("--app", app), "Stop", "Start")).toEqual([first, second]);
  });
});

test("tabs of Firefox that exchange their titles keep their marks", async () => {
  let titles = ["Harbour", "Meadow"];
  const tab = (at: number): string => `<!doctype html><title>${titles[at]}</title><p>Tab ${at}<script>
    setInterval(async () => { document.title = await (await fetch("/title/${at}")).text(); }, 200);
  </script>`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const [, kind, at] = new URL(url).pathname.split("/");
      if (kind === "title") return new Response(titles[Number(at)]);
      return new Response(tab(Number(at)), { headers: { "content-type": "text/html" } });
    },
  });
  const firefox = prepareFirefox("");
  scene = await openScene();
  try {
    const [program, ...options] = firefox.command;
    const addresses = [0, 1].map((at) => `http://127.0.0.1:${server.port}/tab/${at}`);
    await scene.start([program, ...options.slice(0, -1), ...addresses], "Harbour|Meadow");
    await scene.settle();
    const listTabs = (): readonly Shown[] => read("--app", "firefox", "--roles", "tab");
    const isThere = (): boolean =>
      listTabs()
        .map(({ t }) => t)
        .join() === titles.join();
    await waitFor("both tabs", isThere);
    const marks = listTabs().map(({ i }) => i);
    for (const next of [
      ["Meadow", "Harbour"],
      ["Harbour", "Meadow"],
      ["Forest", "Forest"],
      ["Meadow", "Harbour"],
    ]) {
      titles = next;
      await waitFor(`the titles ${next}`, isThere);
      expect(listTabs().map(({ i }) => i)).toEqual(marks);
    }
  } finally {
    await scene.close();
    firefox.remove();
    await server.stop(true);
  }
});
