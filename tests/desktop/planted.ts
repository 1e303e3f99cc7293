import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scene } from "./scene.ts";

/** In letters that OCR reads well. */
export const secret = "KILIMANJARO";
export const card = "4242 4242 4242 4242";
export const key = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6";
const planted = [secret, secret.slice(0, 6), secret.slice(-6), card, "4242 4242", key, key.slice(8, 24)];

/** The planted secrets found in some bytes: in plain text, base64 or hexadecimal. */
export function findPlanted(bytes: Uint8Array | string): string[] {
  const text = Buffer.from(bytes);
  return planted.filter((one) => {
    const forms = [one, Buffer.from(one).toString("hex"), Buffer.from(one, "utf16le")];
    return forms.some((form) => text.includes(form));
  });
}

/** Every file in Deskmap's own directories in a sandbox. */
function listOwnFiles({ sandbox: { env } }: Scene): string[] {
  return ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].flatMap((variable) => {
    const folder = join(env[variable] ?? "/nowhere", "deskmap");
    try {
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter((path) => statSync(path).isFile());
    } catch {
      return [];
    }
  });
}

export function readOwnFiles(scene: Scene): [path: string, content: Buffer][] {
  return listOwnFiles(scene).map((path) => [path, readFileSync(path)]);
}

/** Pictures, and the text that Tesseract reads in them. */
export class Reader {
  private readonly folder = mkdtempSync(join(tmpdir(), "deskmap-ocr-"));
  private count = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly scene: Scene) {}

  /** A path for the next picture. */
  nextPath(): string {
    this.count += 1;
    return join(this.folder, `${this.count}.png`);
  }

  /** An unredacted picture of the whole screen, taken by another program; it is read while the test continues. */
  pictureScreen(part?: string): Promise<string> {
    const path = this.nextPath();
    const cut = part === undefined ? [] : ["-crop", part];
    const { env } = this.scene.sandbox;
    this.expectDone(spawnSync("import", ["-window", "root", ...cut, "+repage", path], { env, encoding: "utf8" }));
    return this.readLater(path);
  }

  /** How many pixels of two pictures differ. */
  countDifferences(one: string, other: string): number {
    const { stderr } = spawnSync("compare", ["-metric", "AE", one, other, "null:"], { encoding: "utf8" });
    return Number.parseFloat(stderr);
  }

  /** The text in pictures; they are read one at a time while the test continues. */
  readLater(...paths: string[]): Promise<string> {
    const text = this.last.then(() => this.readPictures(paths));
    this.last = text.catch(() => undefined);
    return text;
  }

  /** Letters on a screen are too small for Tesseract, so pictures are doubled in size. */
  private async readPictures(paths: readonly string[]): Promise<string> {
    const script =
      'convert "$@" -background white -append -colorspace gray -resize 200% png:- | tesseract - - --psm 11 2>/dev/null';
    const child = spawn("sh", ["-c", script, "sh", ...paths], {
      env: { ...process.env, OMP_THREAD_LIMIT: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`tesseract ended with ${code}`);
    return text;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private expectDone({ status, stderr }: { status: number | null; stderr: string }): void {
    if (status !== 0) throw new Error(stderr);
  }
}

/** How often the planted secrets appear in OCR text; letters may be off by one. */
export function countRead(text: string): { secrets: number; cards: number; keys: number; plain: number } {
  return {
    secrets: text.match(/KIL.?MAN|L.MANJAR|MANJARO/g)?.length ?? 0,
    cards: text.match(/4242.?4242|424.?.?4242/g)?.length ?? 0,
    keys: text.match(/aB3dE6|gH9jK2|mN5p|sT1vW4|yZ7cF/g)?.length ?? 0,
    plain: text.match(/FINL?AND/g)?.length ?? 0,
  };
}
