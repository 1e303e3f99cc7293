import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scene } from "./scene.ts";

/** In letters that a machine reads well from a picture. */
export const secret = "KILIMANJARO";
export const card = "4242 4242 4242 4242";
export const key = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6";
/** What must be readable, so that a picture of nothing proves nothing. */
export const plain = "FINLAND";

const planted = [secret, secret.slice(0, 6), secret.slice(-6), card, "4242 4242", key, key.slice(8, 24)];

/** What of the planted secrets stands in some bytes, in plain, in base64 or in hexadecimal. */
export function findPlanted(bytes: Uint8Array | string): string[] {
  const text = Buffer.from(bytes);
  return planted.filter((one) => {
    const forms = [one, Buffer.from(one).toString("hex"), Buffer.from(one, "utf16le")];
    return forms.some((form) => text.includes(form));
  });
}

/** Every file below Deskmap's own directories in a sandbox. */
export function listOwnFiles({ sandbox: { env } }: Scene): string[] {
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

/** Pictures, and what Tesseract reads in them. */
export class Reader {
  private readonly folder = mkdtempSync(join(tmpdir(), "deskmap-ocr-"));
  private count = 0;

  constructor(private readonly scene: Scene) {}

  /** The whole screen as it is, by another program. */
  readScreen(): string {
    const path = this.nextPath();
    this.expectDone(spawnSync("import", ["-window", "root", path], { env: this.scene.sandbox.env, encoding: "utf8" }));
    return this.read(path);
  }

  /** A picture that Deskmap takes, and what it tells of it. */
  shoot(...args: string[]): { text: string; masked: number; told: string; path: string } {
    const path = this.nextPath();
    const { status, stdout, stderr } = this.scene.deskmap("screenshot", "--scale", "1", "--output", path, ...args);
    if (status !== 0) throw new Error(stderr);
    const { masked } = JSON.parse(stdout) as { masked: number };
    return { text: this.read(path), masked, told: stdout, path };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Letters on a screen are too small for it: three times as large they are read. */
  private read(path: string): string {
    const large = `${path}.large.png`;
    this.expectDone(
      spawnSync("convert", [path, "-colorspace", "gray", "-resize", "300%", large], { encoding: "utf8" }),
    );
    const { status, stdout, stderr } = spawnSync("tesseract", [large, "-", "--psm", "11"], {
      encoding: "utf8",
      env: { ...process.env, OMP_THREAD_LIMIT: "1" },
    });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  private nextPath(): string {
    this.count += 1;
    return join(this.folder, `${this.count}.png`);
  }

  private expectDone({ status, stderr }: { status: number | null; stderr: string }): void {
    if (status !== 0) throw new Error(stderr);
  }
}

/** How often the planted secrets can be read in a text that was read from a picture; letters may be off by one. */
export function countRead(text: string): { secrets: number; cards: number; keys: number; plain: number } {
  return {
    secrets: text.match(/KIL.?MAN|L.MANJAR|MANJARO/g)?.length ?? 0,
    cards: text.match(/4242.?4242|424.?.?4242/g)?.length ?? 0,
    keys: text.match(/aB3dE6|gH9jK2|mN5p|sT1vW4|yZ7cF/g)?.length ?? 0,
    plain: text.match(/FINL?AND/g)?.length ?? 0,
  };
}
