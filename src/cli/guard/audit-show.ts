import type { Happening } from "../../guard/audit/read.ts";
import { cleanText, escapeUnprintable, quoteName, quoteText } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";

const maxWords = 120;

/** One line a happening: when, who, what, to what, how, and what came of it. Words of applications stand in quotes. */
export function showHappening(happening: Happening): string {
  const { at, what, client, tool, way, effect, approval, typed } = happening;
  const parts = [
    showTime(at),
    quoteName(client),
    what === "action" ? (tool ?? "action") : [what, tool].filter((word) => word !== undefined).join(" "),
    showTarget(happening),
    typed === undefined ? "" : `${typed.length} characters (${typed.hash})`,
    way === undefined ? "" : `by ${cleanText(way, maxWords)}`,
    effect === undefined ? "" : `→ ${cleanText(effect, maxWords)}`,
    approval === undefined ? "" : `allowed by ${quoteName(approval)}`,
    happening.words === undefined ? "" : cleanText(happening.words, maxWords * 2),
  ];
  return parts.filter((part) => part !== "").join("  ");
}

export function happeningToJson(happening: Happening): string {
  return escapeUnprintable(JSON.stringify(happening));
}

export function happeningsToCsv(happenings: readonly Happening[]): string {
  const rows = happenings.map((one) => {
    const { n, at, endedAt, what, client, tool, target, way, effect, approval, typed, words } = one;
    const cells = [n, at, endedAt, what, client, tool, appsOf(one).join(" "), target?.window, target?.mark];
    const rest = [target?.role, target?.name, way, effect, approval, typed?.length, typed?.hash, words];
    return [...cells, ...rest].map((cell) => (cell === undefined ? "" : cleanText(String(cell), maxWords * 4)));
  });
  const head = "n,at,ended,what,client,tool,apps,window,mark,role,name,way,effect,approval,length,hash,words";
  return joinRows(head, rows);
}

function showTarget(happening: Happening): string {
  const { target } = happening;
  const apps = appsOf(happening).map(quoteName).join(", ");
  if (target === undefined) return apps;
  const { window, mark, role, name, words } = target;
  return [
    apps,
    window === undefined ? "" : quoteText(window),
    role === undefined ? "" : cleanText(role, maxWords),
    name === undefined || name === "" ? "" : quoteText(name),
    mark === undefined ? "" : `(${mark})`,
    words === undefined ? "" : quoteText(words),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function appsOf({ apps = [], target }: Happening): string[] {
  return [...new Set([...apps, ...(target?.app === undefined ? [] : [target.app])])];
}

/** In the time of the place, to the second. */
function showTime(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return quoteText(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
