import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { look } from "../src/find/read.ts";
import type { Element } from "../src/model/element.ts";
import { openScene, waitFor } from "../tests/desktop/scene.ts";
import type { TreeNode } from "../tests/drift/tree.ts";

/**
 * Writes the trees of real applications and pages into tests/drift/trees/, for the drift suite:
 *
 *   bun bench/capture-trees.ts app NAME TITLE COMMAND …
 *   bun bench/capture-trees.ts page NAME FILE
 *
 * The words of pages are replaced by made-up ones, the same word always by the same one: only the structure matters here.
 */
const maxNodes = 500;
const syllables = [
  "ba",
  "co",
  "di",
  "fe",
  "gu",
  "ha",
  "jo",
  "ki",
  "le",
  "mu",
  "na",
  "po",
  "ri",
  "se",
  "tu",
  "va",
  "wo",
  "zi",
];
/** Runs in the page. */
const walkPage = `function walk(element) {
  const kept = ["type", "alt", "title", "placeholder", "name", "aria-label", "role", "for", "rel"];
  const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent);
  const { x, y, width, height } = element.getBoundingClientRect();
  const attributes = Object.fromEntries(
    kept.flatMap((name) => (element.hasAttribute(name) ? [[name, element.getAttribute(name)]] : [])),
  );
  const round = Math.round;
  const inside = [...element.children].filter((child) => !["SCRIPT", "STYLE", "TEMPLATE"].includes(child.tagName));
  return {
    tag: element.tagName.toLowerCase(),
    id: element.id,
    name: own.join(" ").replace(/\\s+/g, " ").trim().slice(0, 120),
    class: element.getAttribute("class") ?? "",
    href: element.getAttribute("href") ?? "",
    attributes,
    bounds: { x: round(x + scrollX), y: round(y + scrollY), width: round(width), height: round(height) },
    children: inside.map(walk),
  };
}`;

const [kind, name = "", ...rest] = process.argv.slice(2);
const captured = kind === "app" ? await captureApplication(rest) : disguise(await capturePage(rest[0] ?? ""));
const root = trim(captured);
writeFileSync(
  join(import.meta.dir, "../tests/drift/trees", `${name}.json`),
  `${JSON.stringify({ kind, name, root })}\n`,
);

async function captureApplication([title = "", command = "", ...args]: string[]): Promise<TreeNode> {
  const scene = await openScene();
  try {
    await scene.start([command, ...args], title);
    await scene.settle();
    Object.assign(process.env, scene.sandbox.env);
    const { openPlatform } = await import("../src/platform/pick.ts");
    const platform = await openPlatform({ env: scene.sandbox.env, timeoutMs: 20_000 });
    if (!platform.ok) throw new Error(platform.failure.message);
    const sight = await look(platform.value, {}, { includeHidden: true, timeoutMs: 20_000 });
    if (!sight.ok) throw new Error(sight.failure.message);
    const read = sight.value.windows.find(({ window }) => window.title.includes(title));
    if (read?.root === undefined) throw new Error(`no window "${title}"`);
    platform.value.close();
    return toNode(read.root);
  } finally {
    await scene.close();
  }
}

function toNode({ role, name, platformId, bounds, children }: Element): TreeNode {
  const place = bounds && { x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height };
  return { role, name, id: platformId, bounds: place, children: children.map(toNode) };
}

async function capturePage(file: string): Promise<TreeNode> {
  const profile = mkdtempSync(join(tmpdir(), "deskmap-capture-"));
  const options = ["--headless", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  const browser = Bun.spawn(["chromium", ...options, "--window-size=1280,800", pathToFileURL(file).href], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  try {
    const portFile = join(profile, "DevToolsActivePort");
    await waitFor("the browser's port", () => Bun.file(portFile).exists());
    const port = readFileSync(portFile, "utf8").split("\n")[0];
    let address = "";
    await waitFor("the page", async () => {
      const answer = await (await fetch(`http://127.0.0.1:${port}/json/list`)).text();
      const pages: readonly { url: string; webSocketDebuggerUrl: string }[] = JSON.parse(answer);
      address = pages.find(({ url }) => url.startsWith("file:"))?.webSocketDebuggerUrl ?? "";
      return address !== "";
    });
    const isLoaded = `document.readyState === "complete" && document.body.children.length > 0`;
    await waitFor("a loaded page", async () => (await evaluate(address, `String(${isLoaded})`)) === "true");
    return JSON.parse(await evaluate(address, `JSON.stringify((${walkPage})(document.body))`));
  } finally {
    browser.kill();
    await browser.exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function evaluate(address: string, expression: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } }));
  socket.onerror = () => reject(new Error("the browser closed the connection"));
  socket.onmessage = ({ data }) => {
    socket.close();
    resolve(JSON.parse(String(data)).result.result.value);
  };
  return promise;
}

function disguise(node: TreeNode): TreeNode {
  const { attributes = {}, children } = node;
  return {
    ...node,
    name: disguiseWords(node.name),
    id: disguiseWords(node.id),
    class: disguiseWords(node.class ?? ""),
    href: disguiseWords(node.href ?? ""),
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, disguiseWords(value)])),
    children: children.map(disguise),
  };
}

function disguiseWords(text: string): string {
  return text.replace(/[A-Za-z]{3,}/g, (word) => {
    let rest = Number(BigInt(Bun.hash(word.toLowerCase())) % 1_000_000_007n);
    let made = "";
    for (let left = Math.ceil(word.length / 2); left > 0; left -= 1) {
      made += syllables[rest % syllables.length];
      rest = Math.floor(rest / syllables.length);
    }
    return word[0] === word[0]?.toUpperCase() ? `${made[0]?.toUpperCase()}${made.slice(1)}` : made;
  });
}

/** The first nodes in reading order, each with its containers. */
function trim(node: TreeNode): TreeNode {
  let left = maxNodes;
  const visit = (one: TreeNode): TreeNode => {
    left -= 1;
    const children: TreeNode[] = [];
    for (const child of one.children) {
      if (left <= 0) break;
      children.push(visit(child));
    }
    return { ...one, children };
  };
  return visit(node);
}
