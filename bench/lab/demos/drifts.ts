import { makeRandom, shuffle } from "../random.ts";
import type { DemoSpec, DriftKind, Toolkit } from "./demo.ts";
import { changePanel } from "./panel.ts";
import { home, listFamily, type Otherwise, type Running, signalProcess } from "./stage.ts";

const isGtk = (toolkit: Toolkit): boolean => toolkit === "GTK 3" || toolkit === "GTK 4" || toolkit === "LibreOffice";

/** How a demo's application is started for a drift. Everything random comes from the seed. */
export function makeOtherwise(demo: DemoSpec, kind: DriftKind, seed: number): Otherwise {
  const random = makeRandom(seed);
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const { toolkit } = demo;
  switch (kind) {
    case "moved":
      return { move: { x: home.x + between(150, 500), y: home.y + between(60, 200) } };
    case "resized":
      return { resize: [between(700, 1000), between(560, 820)] };
    case "theme":
      return demo.panel !== undefined && isPage(toolkit)
        ? { panel: { ...demo.panel, isDark: true } }
        : { env: toolkit === "Qt" ? { QT_STYLE_OVERRIDE: "windows" } : { GTK_THEME: "Adwaita:dark" } };
    case "font":
      if (demo.panel !== undefined) return { panel: { ...demo.panel, font: between(14, 18) } };
      return { env: toolkit === "Qt" ? { QT_FONT_DPI: "130" } : { GDK_DPI_SCALE: "1.4" } };
    case "scale 2":
      if (toolkit === "Chromium") return { words: ["--force-device-scale-factor=2"] };
      return { env: isGtk(toolkit) || toolkit === "Firefox" ? { GDK_SCALE: "2" } : { QT_SCALE_FACTOR: "2" } };
    case "window manager":
    case "slow":
      return {};
    default:
      return demo.panel === undefined ? {} : { panel: changePanel(demo.panel, kind, random) };
  }
}

function isPage(toolkit: Toolkit): boolean {
  return toolkit === "Firefox" || toolkit === "Chromium";
}

/** Which drifts of a demo are tried: as many as wanted, each kind as often as any other over all demos. */
export function chooseDrifts(demo: DemoSpec, count: number, seed: number): readonly DriftKind[] {
  return shuffle(demo.drifts, makeRandom(seed)).slice(0, count);
}

/** Stops and continues an application at random while something is done to it. */
export async function whileSlow<T>({ pid }: Running, seed: number, work: () => Promise<T>): Promise<T> {
  const random = makeRandom(seed);
  const own = listFamily(pid);
  let hasEnded = false;
  const disturb = async (): Promise<void> => {
    while (!hasEnded) {
      for (const one of own) signalProcess(one, "SIGSTOP");
      await Bun.sleep(200 + random() * 600);
      for (const one of own) signalProcess(one, "SIGCONT");
      await Bun.sleep(100 + random() * 300);
    }
  };
  const disturbing = disturb();
  try {
    return await work();
  } finally {
    hasEnded = true;
    await disturbing;
  }
}
