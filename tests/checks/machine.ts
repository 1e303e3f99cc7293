import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, SmallTree } from "./small-tree.ts";

// Small scripts that replace the programs the installer calls.
const PROGRAMS = {
  "dpkg-query": `while [ "\${1#-}" != "$1" ]; do case "$1" in -f) shift;; esac; shift; done
for name in "$@"; do
  if [ "$name" != openbox ] || [ -f "$STATE/installed" ]; then printf '%s\\tinstall ok installed\\n' "$name"; fi
done`,
  "apt-get": `echo "$*" >> "$STATE/apt.log"
echo "Reading package lists..."
case "$*" in
  *install*) /bin/sleep 0.5; : > "$STATE/installed"; echo "pmstatus:openbox:50.0:Unpacking openbox";;
esac`,
  id: "echo 1000",
  sudo: "exit 1",
};

export type Program = keyof typeof PROGRAMS;

// A machine that lacks only the openbox package; its user has no privileges, and its PATH contains no real program.
export class Machine {
  readonly tree = new SmallTree();
  private readonly bin = join(this.tree.root, "stub/bin");
  private readonly state = join(this.tree.root, "stub/state");

  constructor() {
    for (const folder of [this.bin, this.state]) mkdirSync(folder, { recursive: true });
    symlinkSync("/bin/sh", join(this.bin, "sh"));
    for (const [name, script] of Object.entries(PROGRAMS)) this.replace(name, script);
  }

  replace(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }

  remove(name: Program): void {
    this.tree.remove(`stub/bin/${name}`);
  }

  start(): Promise<Outcome> {
    const env = { PATH: this.bin, STATE: this.state, DISPLAY: undefined };
    return this.tree.run([this.tree.node, "scripts/run.mjs", "start"], env);
  }

  listAptCalls(): string[] {
    const path = join(this.state, "apt.log");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}
