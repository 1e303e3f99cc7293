import type { Bounds } from "../../../model/bounds.ts";
import type { Projection } from "./geometry.ts";
import type { RawNode } from "./nodes.ts";
import type { Quirks } from "./quirks.ts";

/** The state passed down while the tree is built. */
export interface BuildContext {
  readonly quirks: Quirks;
  readonly project: Projection;
  /** The part of the screen in which the element can be visible. */
  readonly visible: Bounds;
  readonly screen: Bounds;
  /** The process's pop-ups, if the toolkit does not know their positions. */
  readonly popups: readonly Bounds[];
  readonly isInPopup: boolean;
  /** Objects behind a sibling of the same position and size: pages of a stack that are not in front. */
  readonly covered: ReadonlySet<string>;
  /** Inside something disabled, if the toolkit does not propagate that. */
  readonly isDisabled?: boolean;
  readonly parent?: RawNode;
  /** The offset between reported and true positions here, and the projection without it. */
  readonly gap?: Gap;
  readonly includeHidden: boolean;
  readonly isForPicture?: boolean;
  /** Removes the texts of secret fields from all others: Firefox includes a field's text in its label's name. */
  readonly scrub: (text: string) => string;
  /** Bus id and application name, which make an object's path unique. */
  readonly runtimePrefix: string;
}

interface Gap {
  readonly x: number;
  readonly y: number;
  readonly trueProject: Projection;
}
