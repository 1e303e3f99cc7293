import { join } from "node:path";
import { makeRandom } from "../../lab/random.ts";

/** What a task is about, drawn from a seed: the same seed gives the same task. */
export interface Data {
  /** The task's own folder, and the path of a file in it. */
  readonly folder: string;
  path(name: string): string;
  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** A word that no other call gives in this task. */
  word(): string;
  /** Some words in a row. */
  phrase(count?: number): string;
  /** Lines of words. */
  lines(count: number): readonly string[];
}

const words = [
  ..."amber anchor bakery barley basil beacon birch bishop blanket bramble bronze canary candle canyon carbon castle".split(
    " ",
  ),
  ..."cedar cherry cinder clover cobalt copper coral cotton cricket crystal dahlia damson desert diesel dragon ember".split(
    " ",
  ),
  ..."falcon fennel ferry fiddle forest garnet ginger glacier granite hammer harbor hazel heron hollow indigo island".split(
    " ",
  ),
  ..."ivory jasmine jasper juniper kettle lagoon lantern laurel lemon linen lobster magnet maple marble meadow mirror".split(
    " ",
  ),
  ..."nectar nickel nutmeg oboe olive onyx orchid otter oyster paprika pebble pepper pigeon pillow plum poplar".split(
    " ",
  ),
  ..."quartz rabbit raven ribbon saffron salmon sapphire silver sparrow spruce tangerine thistle timber topaz tulip".split(
    " ",
  ),
  ..."turquoise umber valley vanilla velvet walnut willow winter yarrow zephyr zinc Zürich Łódź Größe café naïve".split(
    " ",
  ),
];

export function makeData(seed: number, folder: string): Data {
  const random = makeRandom(seed);
  const used = new Set<string>();
  const number = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const word = (): string => {
    for (;;) {
      const one = words[number(0, words.length - 1)] ?? "";
      if (used.has(one)) continue;
      used.add(one);
      return one;
    }
  };
  const phrase = (count = 3): string => Array.from({ length: count }, word).join(" ");
  return {
    folder,
    path: (name) => join(folder, name),
    number,
    pick: (list) => list[number(0, list.length - 1)] ?? list[0],
    word,
    phrase,
    lines: (count) => Array.from({ length: count }, () => phrase()),
  };
}
