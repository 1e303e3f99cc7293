import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Description } from "../../src/map/resolve/description.ts";
import { resolve } from "../../src/map/resolve/resolve.ts";
import { compareSets, normaliseText, splitWords } from "../../src/map/resolve/similarity.ts";
import { describeTree } from "../../tests/drift/describe.ts";
import { copyTree } from "../../tests/drift/drift.ts";
import type { TreeNode } from "../../tests/drift/tree.ts";

/** A documentation page at two versions of its package. */
export interface PagePair {
  readonly before: readonly Description[];
  readonly after: readonly Description[];
}

export interface VersionScore {
  /** Controls that the later version still has: those found, those taken for another, and those refused. */
  right: number;
  wrong: number;
  refused: number;
  /** The same controls taken out of the later version, and those that the later version dropped; and the answers given. */
  removed: number;
  answered: number;
}

/**
 * Scores the resolver on pages at two versions. What is the same control is known without it: a text that one control alone
 * has in both versions (a heading of any level), or an address that one link alone has, under another text. What shares neither text,
 * address, id nor most of its words with anything is gone.
 */
export function scoreVersions(pairs: readonly PagePair[]): VersionScore {
  const score: VersionScore = { right: 0, wrong: 0, refused: 0, removed: 0, answered: 0 };
  const tellRemoved = (ref: Description, candidates: readonly Description[]): void => {
    score.removed += 1;
    if (resolve(ref, candidates).verdict === "match") score.answered += 1;
  };
  for (const { before, after } of pairs) {
    const find = makeFinder(before, after);
    for (const ref of before) {
      const truth = find(ref);
      if (truth === "unknown") continue;
      if (truth === "gone") {
        tellRemoved(ref, after);
        continue;
      }
      const { verdict, best } = resolve(ref, after);
      score[verdict !== "match" ? "refused" : after[best ?? -1] === truth ? "right" : "wrong"] += 1;
      tellRemoved(
        ref,
        after.filter(
          (one) => one !== truth && !isInside(one, truth) && !(isInside(truth, one) && textOf(one) === textOf(truth)),
        ),
      );
    }
  }
  return score;
}

function isInside({ xpath = "" }: Description, outer: Description): boolean {
  return xpath.startsWith(`${outer.xpath}/`);
}

function textOf({ text = "" }: Description): string {
  return normaliseText(text);
}

const kindOf = ({ tag = "" }: Description): string => (/^h[1-6]$/.test(tag) ? "heading" : tag);
const addressOf = ({ href = "" }: Description): string => href.replace(/^(https?:)?(\/\/(www\.)?)?|\/$/g, "");

/** Two controls with so many words in common may be one that was renamed: neither right nor wrong. */
const maxCommon = 0.3;

function makeFinder(
  before: readonly Description[],
  after: readonly Description[],
): (ref: Description) => Description | "gone" | "unknown" {
  const byText = pairUnique(before, after, (one) => (textOf(one) === "" ? "" : `${kindOf(one)} ${textOf(one)}`));
  const byAddress = pairUnique(before, after, addressOf);
  const [texts, ids] = [new Set(after.map(textOf)), new Set(after.map(({ id }) => id))];
  const addresses = new Set(after.map(addressOf));
  return (ref) => {
    const same = byText.get(ref);
    if (same !== undefined) return same;
    if (textOf(ref) === "" || texts.has(textOf(ref))) return "unknown";
    const moved = byAddress.get(ref);
    if (moved !== undefined) return moved;
    if ((addressOf(ref) !== "" && addresses.has(addressOf(ref))) || (ref.id && ids.has(ref.id))) return "unknown";
    const words = new Set(splitWords(textOf(ref)));
    const isSimilar = (one: Description): boolean =>
      kindOf(one) === kindOf(ref) && compareSets(words, new Set(splitWords(textOf(one)))) >= maxCommon;
    return after.some(isSimilar) ? "unknown" : "gone";
  };
}

/** Pairs of which each is the only one with its key. */
function pairUnique(
  before: readonly Description[],
  after: readonly Description[],
  keyOf: (one: Description) => string,
): ReadonlyMap<Description, Description> {
  const [old, now] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  return new Map(
    [...old].flatMap(([key, [one, ...others]]) => {
      const [other, ...more] = now.get(key) ?? [];
      const isPair = key !== "" && one !== undefined && other !== undefined && others.length + more.length === 0;
      return isPair ? [[one, other] as const] : [];
    }),
  );
}

/** Packages whose pages are compared: an older version and a later one, mostly years apart. */
const packages: readonly (readonly [name: string, older: string, later: string])[] = [
  ["codemirror", "3.20.0", "4.8.0"],
  ["uikit", "3.0.0", "3.21.0"],
  ["reveal.js", "3.0.0", "4.3.0"],
  ["dijit", "1.13.0", "1.17.3"],
  ["video.js", "4.12.0", "7.0.0"],
  ["admin-lte", "2.3.5", "2.4.8"],
  ["admin-lte", "2.4.8", "3.2.0"],
  ["gentelella", "1.3.0", "1.4.0"],
  ["startbootstrap-sb-admin-2", "1.0.7", "4.1.3"],
  ["startbootstrap-sb-admin", "3.3.7", "7.0.7"],
  ["startbootstrap-agency", "4.1.1", "6.0.5"],
  ["startbootstrap-freelancer", "4.1.1", "7.0.6"],
  ["startbootstrap-creative", "4.0.0", "7.0.7"],
  ["startbootstrap-clean-blog", "1.0.0", "6.0.7"],
  ["startbootstrap-grayscale", "3.3.7", "7.0.4"],
  ["blueimp-file-upload", "9.9.0", "10.4.0"],
  ["blueimp-gallery", "1.0.0", "2.41.0"],
  ["fullpage.js", "2.6.7", "4.0.15"],
  ["intro.js", "0.9.0", "3.1.0"],
  ["ckeditor", "4.5.8", "4.11.4"],
  ["jstree", "3.0.8", "3.3.14"],
  ["dijit", "1.9.11", "1.14.2"],
  ["jquery.fancytree", "2.7.0", "2.31.0"],
  ["summernote", "0.6.7", "0.9.0"],
  ["express", "3.0.0", "4.18.0"],
  ["async", "0.9.0", "2.6.0"],
  ["commander", "2.0.0", "7.0.0"],
  ["chalk", "1.0.0", "4.0.0"],
  ["yargs", "3.0.0", "8.0.0"],
  ["request", "2.20.0", "2.88.0"],
  ["mongoose", "3.8.0", "5.0.0"],
  ["socket.io", "1.0.0", "2.4.0"],
  ["webpack", "1.4.0", "4.0.0"],
  ["eslint", "1.0.0", "7.0.0"],
  ["babel-core", "5.0.0", "6.26.0"],
  ["gulp", "3.5.0", "4.0.0"],
  ["karma", "0.10.0", "4.0.0"],
  ["mocha", "2.0.0", "7.0.0"],
  ["bluebird", "1.0.0", "3.5.0"],
  ["moment", "2.5.0", "2.29.0"],
  ["winston", "0.8.0", "3.0.0"],
  ["passport", "0.1.0", "0.6.0"],
  ["sequelize", "1.7.0", "6.0.0"],
  ["ws", "0.4.0", "7.0.0"],
  ["redis", "0.10.0", "3.0.0"],
  ["mysql", "2.0.0", "2.18.0"],
  ["nodemailer", "0.7.0", "2.7.0"],
  ["react-router", "1.0.0", "6.0.0"],
  ["redux", "1.0.0", "4.0.0"],
  ["axios", "0.5.0", "1.0.0"],
  ["cheerio", "0.12.0", "1.0.0-rc.10"],
  ["shelljs", "0.2.0", "0.8.0"],
  ["debug", "0.7.0", "4.0.0"],
  ["minimist", "0.1.0", "1.2.0"],
  ["rimraf", "2.2.0", "3.0.0"],
  ["glob", "3.2.0", "7.2.0"],
  ["semver", "2.2.0", "7.0.0"],
  ["uuid", "1.4.0", "8.0.0"],
  ["koa", "0.5.0", "2.13.0"],
  ["hapi", "1.0.0", "17.0.0"],
  ["restify", "2.6.0", "8.0.0"],
  ["pm2", "0.7.0", "4.0.0"],
  ["nodemon", "1.0.0", "2.0.0"],
  ["jsonwebtoken", "1.0.0", "8.5.0"],
  ["bcrypt", "0.7.0", "5.0.0"],
  ["multer", "0.1.0", "1.4.0"],
  ["body-parser", "1.0.0", "1.20.0"],
  ["ejs", "1.0.0", "3.0.0"],
  ["marked", "0.3.0", "4.0.0"],
  ["knex", "0.6.0", "0.95.0"],
  ["joi", "4.0.0", "14.0.0"],
  ["immutable", "3.0.0", "4.0.0"],
  ["ramda", "0.10.0", "0.27.0"],
  ["pouchdb", "3.0.0", "7.0.0"],
  ["browserify", "3.0.0", "17.0.0"],
  ["less", "1.5.0", "4.0.0"],
  ["grunt", "0.4.0", "1.4.0"],
  ["bower", "1.2.0", "1.8.0"],
  ["forever", "0.10.0", "4.0.0"],
];

const cache = join(tmpdir(), "deskmap-versions");
const maxPages = 2;
const minWanted = 8;

/** Fetches the packages once into the folder for temporary files; nothing of them becomes part of Deskmap. */
export async function loadPagePairs(): Promise<PagePair[]> {
  const pairs: PagePair[] = [];
  for (const [name, older, later] of packages) {
    const [before, after] = await Promise.all([older, later].map((version) => loadPages(name, version)));
    const shared = [...(before ?? [])].filter(([path]) => after?.has(path)).slice(0, maxPages);
    for (const [path, page] of shared) {
      const other = after?.get(path) ?? "";
      if (page === other) continue;
      const pair = { before: await describePage(page), after: await describePage(other) };
      if (Math.min(pair.before.length, pair.after.length) >= minWanted) pairs.push(pair);
    }
  }
  return pairs;
}

/** The pages of a package by their path without its first folder; Markdown is rendered. */
async function loadPages(name: string, version: string): Promise<ReadonlyMap<string, string>> {
  const path = join(cache, `${name.replaceAll("/", "-")}-${version}.tgz`);
  const file = Bun.file(path);
  if (!(await file.exists())) {
    // From the registry that npm is set to. A package that is not there stays an empty file, so that it is asked for once.
    mkdirSync(cache, { recursive: true });
    const { status } = spawnSync("npm", ["pack", `${name}@${version}`, "--pack-destination", cache], {
      stdio: "ignore",
    });
    if (status !== 0) writeFileSync(path, "");
  }
  const bytes = readFileSync(path);
  if (bytes.length === 0) return new Map();
  const pages = new Map<string, string>();
  for (const { path: inside, text } of listFiles(gunzipSync(bytes))) {
    const own = inside.replace(/^[^/]+\//, "").toLowerCase();
    // Later versions often keep their pages in a folder of their own.
    if (/\.html?$/.test(own)) pages.set(own.replace(/^(dist|src|docs|production)\//, ""), text());
    else if (/^(readme|docs?\/.*)\.(md|markdown)$/.test(own)) pages.set(own, Bun.markdown.html(text()));
  }
  return pages;
}

interface PackedFile {
  readonly path: string;
  text(): string;
}

const blockSize = 512;

/** The regular files of a tar archive. */
function* listFiles(tar: Buffer): Generator<PackedFile> {
  const field = (from: number, length: number): string =>
    tar.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  for (let at = 0; at + blockSize <= tar.length; ) {
    const size = Number.parseInt(field(at + 124, 12), 8) || 0;
    const [name, prefix, type] = [field(at, 100), field(at + 345, 155), field(at + 156, 1)];
    const start = at + blockSize;
    if (name !== "" && (type === "0" || type === "")) {
      yield { path: prefix === "" ? name : `${prefix}/${name}`, text: () => tar.toString("utf8", start, start + size) };
    }
    at = start + Math.ceil(size / blockSize) * blockSize;
  }
}

interface Open extends Omit<TreeNode, "children" | "name"> {
  name: string;
  readonly children: Open[];
}

const skipped = new Set(["script", "style", "template", "head", "svg"]);
const kept = ["type", "alt", "title", "placeholder", "name", "aria-label", "role", "for", "rel"];

/** The elements of a page as the resolver describes them. */
async function describePage(html: string): Promise<Description[]> {
  const root: Open = { tag: "body", name: "", id: "", class: "", href: "", attributes: {}, children: [] };
  const open: Open[] = [root];
  let hidden = 0;
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      const read = (name: string): string => element.getAttribute(name) ?? "";
      const attributes = Object.fromEntries(kept.flatMap((name) => (read(name) === "" ? [] : [[name, read(name)]])));
      const tag = element.tagName.toLowerCase();
      const node = {
        tag,
        name: "",
        id: read("id"),
        class: read("class"),
        href: read("href"),
        attributes,
        children: [],
      };
      if (skipped.has(tag)) hidden += 1;
      else if (hidden === 0 && tag !== "html" && tag !== "body") open.at(-1)?.children.push(node);
      if (!element.canHaveContent || element.selfClosing) {
        if (skipped.has(tag)) hidden -= 1;
        return;
      }
      open.push(tag === "html" || tag === "body" ? root : node);
      try {
        element.onEndTag(() => {
          open.pop();
          if (skipped.has(tag)) hidden -= 1;
        });
      } catch {
        open.pop();
      }
    },
    text({ text }) {
      const holder = open.at(-1);
      if (holder !== undefined && hidden === 0) holder.name += text;
    },
  });
  await rewriter.transform(new Response(html)).text();
  const tidy = ({ children, name, ...node }: Open): TreeNode => ({
    ...node,
    name: decode(name).replace(/\s+/g, " ").trim().slice(0, 120),
    children: children.map(tidy),
  });
  const tree = { kind: "page", name: "", root: tidy(root) } as const;
  return describeTree(tree, copyTree(tree.root)).flatMap(({ description, isWanted }) =>
    isWanted ? [description] : [],
  );
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
