import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { casesOf } from "../../tier.ts";
import { prepareChromium } from "../chromium.ts";
import { prepareFirefox, type Scene, waitFor } from "../scene.ts";
import { act, confirm, doubt, listShown, markOf, openTaskScene } from "./task.ts";

const html = readFileSync(join(import.meta.dir, "../../fixtures/apps/form.html"), "utf8");
const page = ["--window", "Page form"];

/** Serves the form, and records what is submitted. */
function serveForm(): { readonly address: string; readonly sent: URLSearchParams[]; stop(): Promise<void> } {
  const sent: URLSearchParams[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const headers = { "content-type": "text/html" };
      if (pathname === "/") return new Response(html, { headers });
      if (pathname !== "/sent") return new Response("", { status: 404 });
      sent.push(searchParams);
      return new Response("<!doctype html><title>Thanks</title><h1>Thanks</h1>", { headers });
    },
  });
  return { address: server.url.href, sent, stop: () => server.stop(true) };
}

const browsers = casesOf(
  [{ name: "Chromium", prepare: () => prepareChromium(""), month: "Month Day" }],
  [{ name: "Firefox", prepare: () => prepareFirefox(""), month: "Month" }],
);

describe.each(browsers)("a form in $name", ({ prepare, month }) => {
  const server = serveForm();
  const browser = prepare();
  const mark = (role: string, name: string): string => markOf(scene, page, role, name);
  let scene: Scene;

  beforeAll(async () => {
    scene = await openTaskScene();
    const [program, ...args] = browser.command;
    await scene.start([program, ...args.slice(0, -1), server.address], "Page form");
    await waitFor("the page", () => listShown(scene, ...page).some(({ t }) => t === "Agree"));
    await scene.settle();
  });
  afterAll(async () => {
    await scene.close();
    await server.stop();
    browser.remove();
  });

  test("does not confirm a button without effect", () => {
    doubt(scene, "click", "--id", mark("btn", "Nothing"));
    doubt(scene, "click", "--id", mark("btn", "Locked"));
    expect(server.sent).toEqual([]);
  });

  test("is filled in and submitted, and the server gets every answer", async () => {
    confirm(scene, "type", "Jürgen 李", "--id", mark("input", "Name"));
    confirm(scene, "type", "Dear all,\nпривет", "--id", mark("input", "Letter"));
    confirm(scene, "check", "--id", mark("chk", "Agree"));
    confirm(scene, "select", "--id", mark("radio", "Large"));
    confirm(scene, "set-value", "Green", "--id", mark("select", "Colour"));
    confirm(scene, "click", "--id", mark("select", "Colour"));
    confirm(scene, "click", "Blue", ...page);
    confirm(scene, "set-value", "60", "--id", mark("slider", "Volume"));
    // Month, day and year are separate parts, in the order of the browser's language.
    act(scene, "type", "03142026", "--id", mark("spin", month));
    act(scene, "click", "Send it", ...page);
    await waitFor("what was sent", () => server.sent.length > 0);
    expect(Object.fromEntries(server.sent[0] ?? [])).toEqual({
      name: "Jürgen 李",
      letter: "Dear all,\r\nпривет",
      agree: "yes",
      size: "large",
      colour: "Blue",
      volume: "60",
      day: "2026-03-14",
    });
    expect(server.sent.length).toBe(1);
  });
});
