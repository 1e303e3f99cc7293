import { type Host, isAnswer } from "../../host/port.ts";
import type { Step, StepRef } from "../file.ts";
import { dropUndefined, tidyRef } from "../fit.ts";
import { compareRefs, isUnique } from "../heal.ts";
import { type Described, type Located, plainRole, plainTitle } from "./answers.ts";
import type { Asking } from "./asking.ts";
import type { Proposal } from "./report.ts";

/** Words by which a control is the same; places and neighbours change with every layout. */
const identity: ReadonlySet<string> = new Set([
  ...["role", "name", "automation_id", "accessibility_id", "css_selector", "xpath"],
  ...["window", "container_path"],
]);

/**
 * The one control that a part of the ref finds whose uniqueness was tested when it was recorded: its id, or its role and
 * name wherever it stands now. Both must not lead to different controls.
 */
export async function findRelaxed(asking: Asking, step: Step, ref: StepRef): Promise<Located | undefined> {
  const wasUnique = (by: string): boolean => step.evidence?.find((one) => one.by === by)?.matches === 1;
  const { role, name, app, tag, source, automation_id, accessibility_id } = ref;
  const id = automation_id ?? accessibility_id;
  const found: Located[] = [];
  if (id !== undefined && role !== undefined && wasUnique("id")) found.push(...(await findById(asking, ref, id)));
  if (name !== undefined && wasUnique("role+name")) {
    const answer = await asking.locate(dropUndefined({ role, name, app, tag, source }));
    if (answer.ok && answer.value.verdict === "match" && answer.value.id !== undefined) found.push(answer.value);
  }
  const [first] = found;
  if (first === undefined || found.some((one) => one.id !== first.id)) return undefined;
  return role === undefined || plainRole(first.role ?? "") === plainRole(role) ? first : undefined;
}

interface Findings {
  readonly matches: readonly {
    readonly i: number;
    readonly r: string;
    readonly t?: string;
    readonly app: string;
    readonly window: string;
  }[];
}

/** All controls of the role that have exactly this id. */
async function findById(asking: Asking, { app, role }: StepRef, id: string): Promise<readonly Located[]> {
  const reply = await asking.call("find", dropUndefined({ words: id, app, role, all: true, max: 20 }));
  const found: Located[] = [];
  for (const { i, r, t = "", app: owner, window } of isAnswer<Findings>(reply.data) ? reply.data.matches : []) {
    const { data } = await asking.call("element", { id: i });
    const isSame = isAnswer<Described>(data) && data.now?.platformId === id;
    if (isSame) found.push({ verdict: "match", id: i, role: r, name: t, app: owner, window });
  }
  return found;
}

interface Done {
  readonly n: number;
  readonly ref: StepRef;
  readonly sinceMs: number;
  readonly verdict: string;
  /** Whether only a part of the ref found it. */
  readonly isRelaxed: boolean;
}

/** A new ref for a step that was done, if it differs in what a control is known by, finds one element alone, and was confirmed. */
export async function proposeRef(recall: Host["recall"], done: Done): Promise<Proposal | undefined> {
  const { n, ref: was, sinceMs, verdict, isRelaxed } = done;
  // Its words depend on values, which a new ref would have as they were this time.
  if (verdict !== "confirmed" || JSON.stringify(was).includes("{{")) return undefined;
  const recalled = await recall({ sinceMs });
  const last = recalled.ok ? recalled.value.at(-1) : undefined;
  if (last?.ref === undefined || !isUnique(last.evidence)) return undefined;
  const ref = tidyRef(last.ref, (text) => text);
  if (ref === undefined || plainRole(ref.role ?? "") !== plainRole(was.role ?? "")) return undefined;
  const fields = compareRefs(was, ref).filter(({ field }) => identity.has(field));
  const isMoved = fields.every(({ field }) => field === "window" || field === "container_path");
  const isDrifted = isMoved ? isRelaxed : fields.length > 0;
  const isOnlyTitle =
    plainTitle(was.window ?? "") === plainTitle(ref.window ?? "") && fields.every(({ field }) => field === "window");
  if (!isDrifted || isOnlyTitle) return undefined;
  const why = `${fields.map(({ field }) => field).join(", ")} ${fields.length === 1 ? "is" : "are"} different now`;
  return { step: n, was, ref, evidence: (last.evidence ?? []).slice(0, 12), why };
}
