import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { type PreparedChromium, prepareChromium } from "../desktop/chromium.ts";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "../desktop/scene.ts";
import { matrix } from "../tier.ts";

// A secret is filled in where its person said, and the question names the page. The applications report what they hold.

const bound = "Qx7-for-one-place";
let scene: Scene;
let state: string;
beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, permissive);
  const { secrets } = findPlaces(scene.sandbox.env);
  mkdirSync(join(secrets, ".."), { recursive: true });
  const lines = [
    `HERE@secrets-gtk3=${bound}`,
    "ELSEWHERE@thunderbird=x",
    "BANK@bank.example=x",
    `PAGE@localhost=${bound}`,
    "FREE=x",
  ];
  writeFileSync(secrets, `${lines.join("\n")}\n`, { mode: 0o600 });
  state = join(scene.sandbox.env.HOME ?? "", "state.json");
  const app = join(import.meta.dir, "../fixtures/apps/secrets-gtk3.py");
  await scene.start(["/usr/bin/python3", app, state, "Three", "x", "1", "1"], "Three");
  await scene.settle();
});
afterAll(() => scene.close());

const fill = (name: string, ...args: readonly string[]) => tryCommand(scene, "fill-secret", "--from", name, ...args);
const login = ["Login", "--role", "input", "--window", "Three"];

test("a secret that is bound to another application or host is refused, and no other name is told", () => {
  const before = readFileSync(state, "utf8");
  for (const name of ["ELSEWHERE", "ELSEWHERE@thunderbird", "BANK", "PAGE"]) {
    const { status, reason } = fill(name, ...login);
    expect([name, status, reason]).toEqual([name, 3, "secret"]);
  }
  const missing = fill("BNAK", ...login);
  expect([missing.status, missing.code]).toEqual([1, "NOT_FOUND"]);
  expect(JSON.stringify(missing)).not.toMatch(/BANK|HERE|PAGE|thunderbird/);
  expect(readFileSync(state, "utf8")).toBe(before);
});

test("a secret that is bound to this application is filled in", () => {
  expect(fill("HERE", ...login).status).toBe(0);
  expect(JSON.parse(readFileSync(state, "utf8")).Login).toBe(bound);
});

matrix.test("a page's host decides, and the question names it", async () => {
  const html = `<title>Bank</title><label>Password <input type="password" oninput="
    document.title = 'Bank ' + (this.value === '${bound}' ? 'right' : 'wrong')"></label>`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(html, { headers: { "content-type": "text/html" } }),
  });
  let chromium: PreparedChromium | undefined;
  try {
    chromium = prepareChromium("");
    const open = async (host: string): Promise<readonly string[]> => {
      const command = [...(chromium?.command.slice(0, -1) ?? []), "--new-window", `http://${host}:${server.port}/`];
      const [program = "", ...args] = command;
      await scene.start([program, ...args], "Bank");
      await scene.settle();
      const own = ["Password", "--role", "input", "--app", "chromium"];
      await waitFor("its field", () => scene.deskmap("find", ...own).status === 0);
      return own;
    };
    const foreign = await open("127.0.0.1");
    expect(fill("PAGE", ...foreign).reason).toBe("secret");
    scene.run("wmctrl", "-c", "Bank");
    await waitFor("no page", () => !scene.run("wmctrl", "-l").stdout.includes("Bank"));
    const own = await open("localhost");
    setPolicy(scene, { ...permissive, sensitive: "ask" });
    const { reason, message } = fill("PAGE", ...own);
    setPolicy(scene, permissive);
    expect([reason, message]).toEqual(["unasked", expect.stringContaining(`http://localhost:${server.port}`)]);
    expect(fill("PAGE", ...own).status).toBe(0);
    await waitFor("the page to have it", () => scene.run("wmctrl", "-l").stdout.includes("Bank right"));
  } finally {
    await server.stop(true);
    chromium?.remove();
  }
});

matrix.test("a frame whose address is not told is no part of the page around it", async () => {
  const frame = (role: string): string =>
    `<body role="${role}"><label>${role} code <input type="password"></label></body>`;
  const answer = (html: string): Response => new Response(html, { headers: { "content-type": "text/html" } });
  const roles = ["application", "dialog"];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }): Response => {
      const { pathname, port } = new URL(url);
      const frames = roles.map((role) => `<iframe src="http://127.0.0.1:${port}/${role}"></iframe>`);
      const own = `<label>Own code <input type="password"></label>`;
      return answer(pathname === "/" ? `<title>Outer</title>${own}${frames.join("")}` : frame(pathname.slice(1)));
    },
  });
  const firefox = prepareFirefox("");
  try {
    const [program, ...args] = firefox.command.slice(0, -1);
    await scene.start([program ?? "", ...args, `http://localhost:${server.port}/`], "Outer");
    await scene.settle();
    const fieldOf = (name: string): readonly string[] => [`${name} code`, "--role", "input", "--window", "Outer"];
    await waitFor("the frames", () => scene.deskmap("find", ...fieldOf("dialog")).status === 0);
    for (const role of roles) {
      expect([role, fill("PAGE", ...fieldOf(role)).reason]).toEqual([role, "secret"]);
    }
    setPolicy(scene, { ...permissive, sensitive: "ask" });
    const asked = fill("FREE", ...fieldOf("dialog"));
    const askedOuter = fill("PAGE", ...fieldOf("Own"));
    setPolicy(scene, permissive);
    expect([asked.reason, asked.message]).toEqual(["unasked", expect.stringContaining("origin is not known")]);
    expect(asked.message).not.toContain("localhost");
    expect(askedOuter.message).toContain(`http://localhost:${server.port}`);
  } finally {
    await server.stop(true);
    firefox.remove();
  }
});
