import type { Opener } from "../../model/opener.ts";
import { quote } from "../approval/quote.ts";
import type { Warning } from "./warning.ts";

const packages = /\.(deb|rpm|flatpak|flatpakref|flatpakrepo|snap|apk|pkg|msi|appx|msix|xpi|crx|whl|gem|vsix|oxt)$/i;
const scripts = /\.(appimage|sh|bash|zsh|fish|csh|run|bin|desktop|jar|exe|com|bat|cmd|ps1|scr|command|elf)$/i;
/** Addresses by which software comes. */
const stores = /^(apt|appstream|snap|flatpak(\+https?)?|zypp|pamac|steam|ymp|pkgkit|itms-services):/i;

/** What is started by opening something. */
export function findOpenDangers({ kind, what, args, path = "", command }: Opener): readonly Warning[] {
  const warnings: Warning[] = [];
  const bringing = [path, what, ...args].find((one) => packages.test(one) || stores.test(one));
  if (bringing !== undefined) warnings.push({ danger: "install", because: `${quote(bringing)} brings software` });
  const running = findRun(kind, args, path, command[0] ?? what);
  return running === undefined ? warnings : [...warnings, { danger: "run-program", because: running }];
}

function findRun(kind: Opener["kind"], args: readonly string[], path: string, program: string): string | undefined {
  if (kind === "program") return `${quote(program)} is a program`;
  if (args.length > 0) return `it is given ${args.map(quote).join(" ")}`;
  return scripts.test(path) ? `${quote(path)} may be run` : undefined;
}
