import type { Description } from "./resolve/description.ts";

/**
 * Whether what distinguished a control from its look-alikes still speaks for the one that was found. The resolver also weighs
 * where a control is and what it is like, and there a look-alike is as good: if "Delete" of one row is gone, that of another
 * must not be taken for it. A control that had no look-alike, and has none, needs no more than the resolver's word.
 */
export function isBorneOut(ref: Description, found: Description, all: readonly Description[]): boolean {
  const rivals = all.filter((one) => one !== found && one.role === found.role && one.name === found.name);
  const twins = ref.twins ?? 0;
  if (twins === 0 && rivals.length === 0) return true;
  const hasIds = isFilled(ref.id) && isFilled(found.id);
  if (hasIds) return ref.id === found.id && !rivals.some(({ id }) => id === found.id);
  const told = traits.filter(({ read }) => read(ref) !== "");
  const agrees = ({ read }: Trait, one: Description): boolean => read(one) === read(ref);
  // One of them is gone, and it may be this one: everything must agree.
  if (rivals.length < twins) return told.length > 0 && told.every((trait) => agrees(trait, found));
  return told.some((trait) => agrees(trait, found) && !rivals.some((rival) => agrees(trait, rival)));
}

interface Trait {
  read(one: Description): string;
}

/** Each as one text; empty if it tells nothing. */
const traits: readonly Trait[] = [
  { read: ({ neighbours = [] }) => neighbours.join("\n") },
  { read: ({ sisters = ["", ""] }) => (sisters.every((name) => name === "") ? "" : sisters.join("\n")) },
  // Rows are counted anew when one of them is gone.
  { read: ({ path = [] }) => path.map((step) => step.replace(/ \d+$/, "")).join("\n") },
  { read: ({ index, count = 1 }) => (count < 2 ? "" : `${index}/${count}`) },
];

function isFilled(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}
