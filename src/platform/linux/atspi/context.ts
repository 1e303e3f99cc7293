import type { Bounds } from "../../../model/bounds.ts";
import type { Projection } from "./geometry.ts";
import type { RawNode } from "./nodes.ts";
import type { Quirks } from "./quirks.ts";

/** What is known, on the way down the tree, of where one is. */
export interface BuildContext {
  readonly quirks: Quirks;
  readonly project: Projection;
  /** The part of the screen that the element can be seen in. */
  readonly visible: Bounds;
  readonly screen: Bounds;
  /** The process's pop-ups, where the toolkit does not know their place. */
  readonly popups: readonly Bounds[];
  readonly isInPopup: boolean;
  /** Objects behind a sister of the same place and size: pages of a stack that are not in front. */
  readonly covered: ReadonlySet<string>;
  /** Inside something that is disabled, where the toolkit does not pass that on. */
  readonly isDisabled?: boolean;
  readonly parent?: RawNode;
  /** How far from its true place everything here is measured, and how to measure what is not. */
  readonly gap?: Gap;
  readonly includeHidden: boolean;
  readonly isForPicture?: boolean;
  /** Takes the texts of secret fields out of everything else: Firefox puts a field's text into its label's name. */
  readonly scrub: (text: string) => string;
  /** Bus id and application name, which make an object's path unique. */
  readonly runtimePrefix: string;
}

interface Gap {
  readonly x: number;
  readonly y: number;
  readonly trueProject: Projection;
}
