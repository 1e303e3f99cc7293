/**
 * How an element departs from what its role and states say. The source of an element knows its toolkit and sets its traits;
 * finding and acting go by traits alone.
 */
const traits = [
  /** A page: it can be asked what it has at a point, which holds even if an element in it reports a stale place. */
  "proves-places",
  /** In a hit test it answers for what is in it. */
  "answers-for-content",
  /** If its action opens a dialog, its application may not answer until that is closed; a click has no such effect. */
  "action-may-block",
  /** It may not report that it is selected. */
  "selection-unreported",
  /** "focused" may only mean that it is the current entry of its list. */
  "focus-means-current",
] as const;

export type Trait = (typeof traits)[number];

const known: ReadonlySet<string> = new Set(traits);

export function isTrait(name: string): name is Trait {
  return known.has(name);
}

export function hasTrait(element: { readonly traits?: ReadonlySet<Trait> | undefined }, trait: Trait): boolean {
  return element.traits?.has(trait) === true;
}
