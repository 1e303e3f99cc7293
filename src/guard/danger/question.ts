import type { SingleElement } from "../../model/element.ts";
import type { Role } from "../../model/role.ts";
import { quote } from "../approval/approver.ts";
import type { Request } from "../gate.ts";
import type { Policy } from "../policy/policy.ts";
import { findInLabel, isAgreeing, isDeclining, type Measure, type Warning } from "./match.ts";

const answeringRoles = new Set<Role>(["button", "toggle", "link", "text", "image", "group", "other"]);

/** Whether pressing it says yes to the question of its window. */
export function isAnswer({ role }: Pick<SingleElement, "role">, label: string): boolean {
  if (!answeringRoles.has(role)) return false;
  return role === "button" || role === "toggle" ? isAgreeing(label) : label !== "" && isAgreeing(label);
}

export function isWayOut(element: SingleElement | undefined): boolean {
  return element !== undefined && element.role === "button" && isDeclining(element.name);
}

const longestQuestion = 600;
const asking =
  /[?？¿]|\b(are you sure|cannot be undone|can not be undone|can't be undone|irreversibl|permanently|will be lost|rückgängig gemacht werden|irréversible|irreversible|irreversibile|nieodwracaln|необратим|незворотн|nevratn|geri alınamaz)|无法撤销|無法復原|取り消せません|元に戻せません|취소할 수 없/iu;
/** Questions that nobody is to answer, such as headings of a help text. */
const wondering =
  /^\W*(how|what|why|when|where|who|which|wie|was|warum|comment|pourquoi|cómo|qué|por qué|come|perché|como|hoe|waarom|jak|dlaczego|как|почему|як|чому|nasıl|neden)\b/iu;

/** Sensitive questions in the title or the texts of a button's window. */
export function asksAround({ window, surroundings }: Request, policy: Policy): readonly Warning[] {
  const title = window?.title ?? "";
  const byTitle = warn(title, findInLabel(title, measureOf(title), policy.words));
  const texts = (surroundings?.() ?? []).filter(isQuestion);
  return [
    ...(isNamedAfterThing(title) ? [] : byTitle),
    ...texts.flatMap((text) => warn(text, findInLabel(text, "anywhere", policy.words))),
  ];
}

/** A title is short and need not be a question. */
function measureOf(title: string): Measure {
  return asking.test(title) ? "anywhere" : "brief";
}

/** "delete-me.txt - Editor" names a document, not an action. */
function isNamedAfterThing(title: string): boolean {
  return !asking.test(title) && /\s[-–—|]\s|\.\w{1,5}\b/.test(title);
}

function isQuestion(text: string): boolean {
  return text.length <= longestQuestion && asking.test(text) && !wondering.test(text);
}

function warn(text: string, found: ReturnType<typeof findInLabel>): readonly Warning[] {
  return found.map((danger) => ({ danger, because: `its window says ${quote(text)}` }));
}
