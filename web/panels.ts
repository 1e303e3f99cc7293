import type { ComponentType } from "preact";
import { ActivityPanel } from "./panels/activity.tsx";
import { DemosPanel } from "./panels/demos.tsx";
import { ElementPanel } from "./panels/element.tsx";
import { MapPanel } from "./panels/map.tsx";
import { ScreenPanel } from "./panels/screen.tsx";
import { TreePanel } from "./panels/tree.tsx";

export interface Panel {
  readonly id: string;
  readonly label: string;
  readonly Content: ComponentType;
  /** Its side of the page when two panels fit side by side. */
  readonly dock: "main" | "side";
}

/** All panels, in tab order. Alt and the number of a panel opens it. */
export const panels: readonly Panel[] = [
  { id: "screen", label: "Screen", Content: ScreenPanel, dock: "main" },
  { id: "tree", label: "Tree", Content: TreePanel, dock: "side" },
  { id: "element", label: "Element", Content: ElementPanel, dock: "side" },
  { id: "map", label: "Map", Content: MapPanel, dock: "main" },
  { id: "activity", label: "Activity", Content: ActivityPanel, dock: "main" },
  { id: "demos", label: "Demos", Content: DemosPanel, dock: "main" },
];
