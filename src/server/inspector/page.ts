import { basename } from "node:path";
import page from "../../../web/index.html";

export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html;charset=utf-8",
  js: "text/javascript;charset=utf-8",
  css: "text/css;charset=utf-8",
  svg: "image/svg+xml",
};

/** The page's files by path. They are part of a compiled program; from source, they are bundled now. */
export async function loadPage(): Promise<ReadonlyMap<string, PageFile>> {
  const files = page.files === undefined ? await bundle(page.index) : await readAll(page.files);
  const isIndex = (name: string): boolean => name.endsWith(".html");
  return new Map(files.map(([name, body]) => [isIndex(name) ? "/" : `/${name}`, { type: typeOf(name), body }]));
}

type Named = readonly [string, Uint8Array<ArrayBuffer>];

async function bundle(index: string): Promise<readonly Named[]> {
  const { outputs } = await Bun.build({ entrypoints: [index], minify: true, publicPath: "/" });
  return Promise.all(
    outputs.map(async (one): Promise<Named> => [basename(one.path), new Uint8Array(await one.arrayBuffer())]),
  );
}

async function readAll(files: readonly { readonly path: string }[]): Promise<readonly Named[]> {
  return Promise.all(files.map(async ({ path }): Promise<Named> => [basename(path), await Bun.file(path).bytes()]));
}

function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
