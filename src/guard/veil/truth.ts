import type { Point } from "../../model/bounds.ts";
import type { Element, Placed } from "../../model/element.ts";
import { hasTrait } from "../../model/trait.ts";
import type { CoverOptions, WindowLook } from "./look.ts";

type Asking = Pick<CoverOptions, "platform" | "timeoutMs">;

/**
 * Whether everything that must be covered is where it was when it was found. Of a few objects a glimpse tells another place
 * than a read, always the same one: then that counts which was seen the time before.
 */
export async function areStill(
  { platform, timeoutMs }: Asking,
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

/** Each costs a twentieth of a second; what moves moves with what is around it, so a few of many tell of all. */
const maxAsked = 12;

/** The windows whose pages report a place of a secret at which they do not have it, such as the start of an animation. */
export async function findLying(asking: Asking, windows: readonly WindowLook[]): Promise<ReadonlySet<number>> {
  const lying = new Set<number>();
  await Promise.all(
    windows.map(async ({ window, secrets }) => {
      const inPages = secrets.filter((one) => findPage(one) !== undefined);
      const step = Math.max(1, Math.ceil(inPages.length / maxAsked));
      // One after the other: a page keeps its answer for one point only.
      for (const secret of inPages.filter((_, at) => at % step === 0)) {
        if (await isElsewhere(asking, secret)) lying.add(window.id);
        if (lying.has(window.id)) return;
      }
    }),
  );
  return lying;
}

function findPage({ ancestors }: Placed): Element | undefined {
  return ancestors.findLast((one) => hasTrait(one, "proves-places"));
}

/** What a page has at a point: the secret itself, something that it is in or nothing, something over it, or no answer. */
type Answer = "itself" | "not there" | "another" | "none";

async function isElsewhere(asking: Asking, secret: Placed): Promise<boolean> {
  const points = listPoints(secret.element);
  if (points.length === 0) return false;
  const isField = secret.element.states.has("secret");
  const answers: Answer[] = [];
  for (const point of points) {
    const answer = await askAt(asking, secret, point);
    // A field fills its place; a text need not.
    if (isField ? answer === "not there" : answer === "itself") return isField;
    answers.push(answer);
  }
  return !answers.includes("itself") && answers.some((answer) => answer !== "none");
}

/** So far from the corners that round ones do not matter, and so near that a small move shows. */
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

async function askAt({ platform, timeoutMs }: Asking, { element, ancestors }: Placed, point: Point): Promise<Answer> {
  const first = await platform.askWhatIsAt(element, point, timeoutMs);
  if (first.ok && first.value === element.handle) return "itself";
  const page = findPage({ element, ancestors });
  if (page === undefined) return "none";
  // Asked about a field, a page that has nothing there may seem not to answer; asked about itself it says so.
  const second = await platform.askWhatIsAt(page, point, timeoutMs);
  if (!second.ok || second.value === undefined) return first.ok && first.value !== undefined ? "another" : "none";
  if (second.value === element.handle) return "itself";
  return ancestors.some(({ handle }) => handle === second.value) ? "not there" : "another";
}
