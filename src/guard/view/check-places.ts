import type { Point } from "../../model/bounds.ts";
import type { Element, Placed } from "../../model/element.ts";
import { hasTrait } from "../../model/trait.ts";
import type { CoverOptions, WindowScan } from "./scan.ts";

type Options = Pick<CoverOptions, "platform" | "timeoutMs">;

/**
 * Whether all secrets are where the scan found them. For a few objects a glimpse always reports another place than a read:
 * these are compared with their last glimpse.
 */
export async function areStill(
  { platform, timeoutMs }: Options,
  secrets: readonly Placed[],
  known: Map<string, string>,
): Promise<boolean> {
  const glimpses = await Promise.all(secrets.map(({ element }) => platform.glimpse(element, timeoutMs)));
  const still = secrets.map(({ element: { handle, place = "", bounds } }, at) => {
    const glimpse = glimpses[at];
    if (glimpse?.ok !== true || glimpse.value === undefined) return false;
    const places = JSON.stringify([place, glimpse.value.place, bounds]);
    const isKnown = glimpse.value.place === place || known.get(handle) === places;
    known.set(handle, places);
    return isKnown;
  });
  return still.every(Boolean);
}

/** Each takes 50 ms. Neighbours move together, so a sample is enough. */
const maxAsked = 12;

/** The windows whose pages report a wrong place of a secret, such as the start of an animation. */
export async function findMisreporting(options: Options, windows: readonly WindowScan[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  await Promise.all(
    windows.map(async ({ window, secrets }) => {
      const inPages = secrets.filter((one) => findPage(one) !== undefined);
      const step = Math.max(1, Math.ceil(inPages.length / maxAsked));
      // One at a time: a page keeps its answer for one point only.
      for (const secret of inPages.filter((_, at) => at % step === 0)) {
        if (await isElsewhere(options, secret)) found.add(window.id);
        if (found.has(window.id)) return;
      }
    }),
  );
  return found;
}

function findPage({ ancestors }: Placed): Element | undefined {
  return ancestors.findLast((one) => hasTrait(one, "proves-places"));
}

/** What a page has at a point: the secret itself, one of its ancestors or nothing, another element, or no answer. */
type Occupant = "itself" | "not there" | "another" | "none";

async function isElsewhere(options: Options, secret: Placed): Promise<boolean> {
  const points = listPoints(secret.element);
  if (points.length === 0) return false;
  const isField = secret.element.states.has("secret");
  const answers: Occupant[] = [];
  for (const point of points) {
    const answer = await askAt(options, secret, point);
    // A field fills its bounds; a text need not.
    if (isField ? answer === "not there" : answer === "itself") return isField;
    answers.push(answer);
  }
  return !answers.includes("itself") && answers.some((answer) => answer !== "none");
}

/** Far enough from the corners for round ones, and near enough to notice a small move. */
const [acrossPart, downPart] = [1 / 3, 1 / 4];

function listPoints({ bounds, clickPoint }: Element): readonly Point[] {
  if (bounds === undefined || clickPoint === undefined) return [];
  const { x, y, width, height } = bounds;
  const [across, down] = [Math.floor(Math.min(width, height) * acrossPart), Math.floor(height * downPart)];
  return [
    { x: x + across, y: y + down },
    { x: x + width - 1 - across, y: y + height - 1 - down },
  ];
}

async function askAt(
  { platform, timeoutMs }: Options,
  { element, ancestors }: Placed,
  point: Point,
): Promise<Occupant> {
  const first = await platform.askWhatIsAt(element, point, timeoutMs);
  if (first.ok && first.value === element.handle) return "itself";
  const page = findPage({ element, ancestors });
  if (page === undefined) return "none";
  // Asked about a field, a page with nothing at the point may not answer; asked about the page itself, it does.
  const second = await platform.askWhatIsAt(page, point, timeoutMs);
  if (!second.ok || second.value === undefined) return first.ok && first.value !== undefined ? "another" : "none";
  if (second.value === element.handle) return "itself";
  return ancestors.some(({ handle }) => handle === second.value) ? "not there" : "another";
}
