import * as z from "zod/mini";
import { capture, captureElement, captureMarked, detail, type FrameOptions, type Target } from "../desktop/capture.ts";
import { parseBounds } from "../model/bounds.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { type Frame, type ImageFormat, imageFormats, type Scope, scopes } from "../model/frame.ts";
import type { Role } from "../model/role.ts";
import { frameForms, frameOutput } from "../show/frame.ts";
import { toKebabCase } from "./arguments.ts";
import { defineTool } from "./define.ts";
import { anyText, flag, number, oneOf, text, wholeNumber } from "./fields.ts";
import { chooseAim, pointing } from "./pointing.ts";
import { parseRoles, windowQueryOf, windowSelection } from "./selection.ts";
import type { Session } from "./session.ts";
import { findOutput, writeWhole } from "./write-file.ts";

const defaultQuality = 80;
/** Numbers that can be read would hide the controls of a smaller picture. */
const markedScale = 1;
const detailWords = `${detail.scale} for an element or a region of no more pixels than ${detail.largest}`;

const input = z.object({
  words: text("the control by words, as find takes them; words that fit several are refused"),
  scope: oneOf(scopes, "what to capture; by default what the other options choose, else the whole screen"),
  ...windowSelection,
  ...pointing,
  margin: wholeNumber(0, "of an element: so many pixels of what lies around it (0)", 10_000),
  monitor: text("the monitor of this name (--scope monitor alone: the primary one)"),
  region: text("x,y,width,height of the screen, in physical pixels"),
  marks: flag("draw the marks that read shows, and list them: what can be acted on and is seen in the picture"),
  roles: anyText("with --marks: these roles instead, separated by commas (button or btn, input, link or lnk, …)"),
  output: text("write a file; it is replaced whole or not at all"),
  format: oneOf(imageFormats, "of the picture: png (the default) or jpg; else the ending of --output decides"),
  quality: wholeNumber(1, `of a jpg, 1 to 100 (${defaultQuality})`, 100),
  scale: number(0.1, 1, `0.1 to 1, for fewer tokens (${detail.otherScale}; ${detailWords}; 1 with --marks)`),
});
type Input = z.infer<typeof input>;

export const screenshot = defineTool({
  name: "screenshot",
  summary: "Take a picture: of the screen, a monitor, a window, a region or an element.",
  description:
    "A window is captured as itself, whatever covers it, in the bounds that list shows; of several that match, the one in " +
    "front. An element is cut out of its window. It is halved, except a small element or region, unless --scale says otherwise. A point p of the picture is the point origin + p / scale of the screen, " +
    "in physical pixels. Piped, it prints JSON with the file as base64 in data; with --output the file is written and the " +
    "JSON has its path instead. --format png and jpg are the picture's format; --format text, json and csv are how the " +
    "answer is printed, as everywhere: as text, the file, its size and its scale. With --marks each control has an outline and its " +
    "number, and marks lists them: bounds are x, y, width and height in pixels of the picture, clickPoint is x and y on the " +
    "screen. Nothing is drawn on the screen itself.",
  examples: [
    "deskmap screenshot --output screen.png --format text",
    "deskmap screenshot --app mousepad --scale 1 --output editor.png",
    "deskmap screenshot --id 12 --margin 40 --output button.png",
    "deskmap screenshot save --app mousepad --output button.png",
    "deskmap screenshot --app mousepad --marks --output marked.png",
    "deskmap screenshot --region 0,0,400,300 --format jpg --quality 60 > corner.json",
  ],
  words: ["words"],
  daily: {
    says: "Picture of the screen, a window, an element or a region. Prefer read: it is cheaper and exact.",
    fields: {
      app: "",
      window: "",
      id: "mark",
      region: "x,y,width,height",
      marks: "draw and list marks",
      scale: "0.1 to 1 (0.5; marks: 1)",
    },
  },
  input,
  isReport: true,
  output: frameOutput,
  forms: frameForms,
  refuseOnTerminal({ output }) {
    if (output !== undefined) return undefined;
    return describeUsage("a picture cannot be shown on a terminal", "deskmap screenshot --output picture.png");
  },
  async run(given, session) {
    const target = chooseTarget(given);
    if (!target.ok) return target;
    const format = chooseFormat(given.format, given.output);
    if (!format.ok) return format;
    const marks = chooseMarks(given);
    if (!marks.ok) return marks;
    const place = given.output === undefined ? undefined : findOutput(given.output, session.folder);
    if (place?.ok === false) return place;
    const writing = place && (await session.beginWriting("screenshot", place.value));
    if (writing?.ok === false) return writing;
    const { quality = defaultQuality } = given;
    const scale = given.scale ?? (marks.value === undefined ? undefined : markedScale);
    const query = { format: format.value, scale, quality };
    const frame = await take(session, target.value, query, marks.value);
    const path = place?.value;
    const written = frame.ok && path !== undefined ? writeWhole(path, frame.value.data) : undefined;
    writing?.value.end(written?.ok === true ? "written" : "failed");
    if (!frame.ok) return frame;
    if (written?.ok === false) return written;
    return succeed({ frame: frame.value, path });
  },
});

interface Marking {
  readonly roles: ReadonlySet<Role> | undefined;
}

async function take(
  session: Session,
  target: Target,
  query: FrameOptions,
  marking: Marking | undefined,
): Promise<Result<Frame>> {
  const { timeoutMs } = session;
  if (marking === undefined && target.scope !== "element") {
    const platform = await session.openPlatform();
    return platform.ok ? capture(platform.value, target, query) : platform;
  }
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  if (marking !== undefined) return captureMarked(desktop.value, target, { ...query, ...marking, timeoutMs });
  return target.scope === "element"
    ? captureElement(desktop.value, target, { ...query, timeoutMs })
    : capture(desktop.value.platform, target, query);
}

function chooseMarks({ marks, roles }: Input): Result<Marking | undefined> {
  if (marks !== true) {
    if (roles === undefined) return succeed(undefined);
    return fail(describeUsage("--roles chooses among marks", "give --marks, too."));
  }
  const parsed = parseRoles(roles);
  return parsed.ok ? succeed({ roles: parsed.value }) : parsed;
}

const windowChoosing = ["app", "window", "windowId", "class", "pid"] as const;
const elementChoosing = ["words", "id", "on", "at", "x", "y", "role", "within", "nth"] as const;
type Choosing = (typeof windowChoosing | typeof elementChoosing)[number] | "monitor" | "region";

/** The options of each scope. Without --scope, the first scope that has all given options is meant. */
const choosing: Readonly<Record<Scope, readonly Choosing[]>> = {
  screen: [],
  window: windowChoosing,
  element: [...elementChoosing, ...windowChoosing],
  region: ["region"],
  monitor: ["monitor"],
};
const inferred: readonly Scope[] = ["screen", "window", "element", "region", "monitor"];
const toFlags = (names: readonly Choosing[]): string =>
  names.map((name) => (name === "words" ? "WORDS" : `--${toKebabCase(name)}`)).join(", ");

function chooseTarget(given: Input): Result<Target> {
  const options = [...windowChoosing, ...elementChoosing, "monitor", "region"] as const;
  const used = options.filter((name) => given[name] !== undefined);
  const scope = given.scope ?? inferred.find((one) => used.every((name) => choosing[one].includes(name)));
  if (scope === undefined) {
    const suggestion = "give those of one scope, or --scope alone.";
    return fail(describeUsage(`${toFlags(used)} choose different things`, suggestion));
  }
  const stray = used.find((name) => !choosing[scope].includes(name));
  if (stray !== undefined) {
    const taken = toFlags(choosing[scope]) || "no option that chooses";
    const message = `${toFlags([stray])} does not go with --scope ${scope}`;
    return fail(describeUsage(message, `--scope ${scope} takes ${taken}.`));
  }
  if (given.margin !== undefined && scope !== "element") {
    return fail(describeUsage("--margin is what lies around an element", "give --id N or WORDS, too."));
  }
  const query = windowQueryOf(given);
  switch (scope) {
    case "screen":
      return succeed({ scope });
    case "monitor":
      return succeed({ scope, monitor: given.monitor });
    case "window":
      return succeed({ scope, query });
    case "element": {
      const aim = chooseAim(given, given.words);
      if (!aim.ok) return aim;
      if (aim.value !== undefined) return succeed({ scope, aim: aim.value, query, margin: given.margin ?? 0 });
      return fail(describeUsage("--scope element needs an element", "--id N, WORDS or --at X,Y"));
    }
    case "region": {
      const region = given.region === undefined ? undefined : parseBounds(given.region);
      if (region !== undefined) return succeed({ scope, region });
      const message =
        given.region === undefined ? "--scope region needs a region" : `--region "${given.region}" is not a region`;
      return fail(describeUsage(message, "four whole numbers, width and height above 0: --region 0,0,400,300"));
    }
  }
}

const endings: Readonly<Record<string, ImageFormat>> = { png: "png", jpg: "jpg", jpeg: "jpg" };

function chooseFormat(format: ImageFormat | undefined, output: string | undefined): Result<ImageFormat> {
  const ending = /\.([^./]+)$/.exec(output ?? "")?.[1]?.toLowerCase();
  const byEnding = ending === undefined ? undefined : endings[ending];
  if (format !== undefined && byEnding !== undefined && byEnding !== format) {
    return fail(describeUsage(`--format ${format} and --output "${output}" disagree`, "leave --format out."));
  }
  if (format === undefined && ending !== undefined && byEnding === undefined) {
    return fail(
      describeUsage(`--output "${output}": no format is called ".${ending}"`, "a name that ends in .png or .jpg"),
    );
  }
  return succeed(format ?? byEnding ?? "png");
}
