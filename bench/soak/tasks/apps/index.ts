import type { Application } from "../task.ts";
import { calc } from "./calc.ts";
import { galculator, gnomeCalculator, kcalc } from "./calculators.ts";
import { chromium } from "./chromium.ts";
import { evince } from "./evince.ts";
import { featherpad } from "./featherpad.ts";
import { geany } from "./geany.ts";
import { gedit } from "./gedit.ts";
import { kate } from "./kate.ts";
import { mousepad } from "./mousepad.ts";
import { pcmanfm } from "./pcmanfm.ts";
import { thunar } from "./thunar.ts";
import { writer } from "./writer.ts";

export const applications: readonly Application[] = [
  mousepad,
  gnomeCalculator,
  galculator,
  kcalc,
  thunar,
  gedit,
  geany,
  kate,
  evince,
  featherpad,
  pcmanfm,
  calc,
  writer,
  chromium,
];
