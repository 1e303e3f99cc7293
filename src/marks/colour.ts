import type { Colour } from "../model/drawing.ts";

/** Dark enough that white digits on each are read easily (contrast above 5 : 1), and told apart side by side. */
const colours: readonly Colour[] = ["#b3001b", "#0047c2", "#00662b", "#7d1fa8", "#8f4700", "#00627a", "#a3005f"];

/** Controls that were met one after the other have different colours; a control keeps its own. */
export function colourOf(mark: number): Colour {
  return colours[mark % colours.length] ?? "#b3001b";
}
