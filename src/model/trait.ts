/**
 * How an element deviates from its role and states. Its source knows the toolkit and sets the traits; finding and acting
 * use only traits.
 */
const traits = [
  /** A page whose hit test is right even if an element in it reports a stale position. */
  "proves-places",
  /** A hit test returns it instead of its content. */
  "answers-for-content",
  /** If its action opens a dialog, its application may not answer until that is closed; a click does not block. */
  "action-may-block",
  /** Its action may do less than a press, such as a menu button that turns pressed and opens nothing. */
  "action-may-fall-short",
  /** Its action is carried out a while after it was accepted; a click is not. */
  "action-comes-late",
  /** "pressed" means that it is on, not that it is being pressed. */
  "pressed-means-on",
  /** It may not report that it is selected. */
  "selection-unreported",
  /** Its application draws it and does not tell what. */
  "drawn",
  /** "focused" may only mean that it is the current entry of its list. */
  "focus-means-current",
  /** Its application does not show it now, or the bar it is in: nothing that a person opens or scrolls brings it. */
  "switched-off",
  /** Its object stands for a place among its siblings, and shows another thing when those change places. */
  "is-a-place",
] as const;

export type Trait = (typeof traits)[number];

const known: ReadonlySet<string> = new Set(traits);

export function isTrait(name: string): name is Trait {
  return known.has(name);
}

export function hasTrait(element: { readonly traits?: ReadonlySet<Trait> | undefined }, trait: Trait): boolean {
  return element.traits?.has(trait) === true;
}
