import { applicationDemos } from "./applications.ts";
import type { DemoSpec } from "./demo.ts";
import { canvasDemos, panelDemos } from "./panels.ts";

/** Work of five to ten steps in seven kinds of application. */
export const demos: readonly DemoSpec[] = [...panelDemos, ...applicationDemos, ...canvasDemos];
