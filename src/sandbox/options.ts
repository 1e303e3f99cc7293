import { randomBytes } from "node:crypto";
import { type Failure, type FailureCode, fail, makeFailure, type Result, succeed } from "../model/failure.ts";

export const nothingStarted = "nothing was started.";

export function refuseStart(
  code: FailureCode,
  message: string,
  suggestion: string,
  nearest: readonly string[] = [],
): Result<never> {
  return fail(makeFailure(code, message, suggestion, { nearest, done: nothingStarted }));
}

/** Thrown while a sandbox is opened, for a reason that the person can mend. */
export class StartRefused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const LARGEST_SIDE_PX = 16384;
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;
const NAME_FORM = "1 to 32 letters, digits, dots, dashes and underscores, beginning with a letter or digit";
const NAME_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** The supported window managers; the first is the default. */
export const MANAGER_KINDS = ["openbox", "xfwm4", "mutter"] as const;
export type ManagerKind = (typeof MANAGER_KINDS)[number];

export function parseManager(text: string): Result<ManagerKind> {
  const kind = MANAGER_KINDS.find((one) => one === text.trim().toLowerCase());
  if (kind !== undefined) return succeed(kind);
  return refuseStart(
    "USAGE",
    `a sandbox cannot use the window manager "${text}"`,
    `--wm ${MANAGER_KINDS[0]}`,
    MANAGER_KINDS,
  );
}

type Size = { width: number; height: number };

const DEFAULT_SIZE: Size = { width: 1280, height: 800 };

export function parseSize(text: string): Result<Size> {
  const match = /^(\d{1,6})x(\d{1,6})$/i.exec(text.trim());
  return match === null ? refuseSize(text) : checkSize({ width: Number(match[1]), height: Number(match[2]) });
}

export function checkSize(size: Size): Result<Size> {
  const isSide = (px: number) => Number.isInteger(px) && px >= 1 && px <= LARGEST_SIDE_PX;
  return isSide(size.width) && isSide(size.height) ? succeed(size) : refuseSize(`${size.width}x${size.height}`);
}

function refuseSize(given: string): Result<Size> {
  return refuseStart(
    "USAGE",
    `"${given}" is not a screen size; accepted: WIDTHxHEIGHT in pixels, each from 1 to ${LARGEST_SIDE_PX}`,
    `--size ${DEFAULT_SIZE.width}x${DEFAULT_SIZE.height}`,
  );
}

export function checkName(name: string): Result<string> {
  if (NAME_PATTERN.test(name)) return succeed(name);
  return refuseStart("USAGE", `"${name}" cannot name a sandbox; accepted: ${NAME_FORM}`, "--name work");
}

export function inventName(): string {
  const letters = Array.from(randomBytes(5), (byte) => NAME_LETTERS[byte % NAME_LETTERS.length]);
  return `box-${letters.join("")}`;
}

/** One output of the display, in screen pixels. */
export type MonitorPlan = Size & { x: number; y: number; isPrimary: boolean };

// The dummy video driver has DUMMY0 to DUMMY15. Screen sizes are signed 16-bit numbers in the X protocol.
const MOST_MONITORS = 16;
const LARGEST_SCREEN_PX = 32_767;
// The driver's smallest mode.
const SMALLEST_SIDE_PX = 64;
const MONITOR_PATTERN = /^(\d{1,5})x(\d{1,5})(?:\+(\d{1,5})\+(\d{1,5}))?(\*?)$/i;

/** Parses "3", each of `size` and side by side, or "1280x1024,1920x1080*,1024x768+3200+256". */
export function parseMonitors(text: string, size: Size): Result<MonitorPlan[]> {
  const isCount = /^\d{1,4}$/.test(text.trim());
  const count = Number(text);
  if (isCount && (count < 1 || count > MOST_MONITORS)) return refuse(text, `from 1 to ${MOST_MONITORS} monitors`);
  const items = isCount
    ? Array.from({ length: count }, () => `${size.width}x${size.height}`)
    : text.split(",").map((item) => item.trim());
  const plans: MonitorPlan[] = [];
  for (const item of items) {
    const match = MONITOR_PATTERN.exec(item);
    if (match === null) return refuse(item, FORM);
    const [width, height] = [Number(match[1]), Number(match[2])];
    const previous = plans.at(-1);
    const x = match[3] === undefined ? (previous === undefined ? 0 : previous.x + previous.width) : Number(match[3]);
    plans.push({ width, height, x, y: Number(match[4] ?? 0), isPrimary: match[5] === "*" });
  }
  return checkMonitors(plans);
}

function checkMonitors(plans: MonitorPlan[]): Result<MonitorPlan[]> {
  const [first, ...others] = plans;
  if (first === undefined || plans.length > MOST_MONITORS)
    return refuse(String(plans.length), `from 1 to ${MOST_MONITORS} monitors`);
  const small = plans.find(({ width, height }) => Math.min(width, height) < SMALLEST_SIDE_PX);
  if (small !== undefined && others.length > 0)
    return refuse(`${small.width}x${small.height}`, `sides of at least ${SMALLEST_SIDE_PX} pixels`);
  if (plans.filter(({ isPrimary }) => isPrimary).length > 1) return refuse("two with a *", "one primary monitor");
  const whole = measureScreen(plans);
  if (Math.max(whole.width, whole.height) > LARGEST_SCREEN_PX)
    return refuse(`${whole.width}x${whole.height} together`, `at most ${LARGEST_SCREEN_PX} pixels on each side`);
  for (const plan of plans) {
    const size = checkSize(plan);
    if (!size.ok) return size;
  }
  const hasPrimary = plans.some(({ isPrimary }) => isPrimary);
  return succeed(hasPrimary ? plans : [{ ...first, isPrimary: true }, ...others]);
}

export function measureScreen(plans: readonly MonitorPlan[]): Size {
  return {
    width: Math.max(...plans.map(({ x, width }) => x + width)),
    height: Math.max(...plans.map(({ y, height }) => y + height)),
  };
}

const FORM =
  "a number, or WIDTHxHEIGHT for each, with +X+Y to place it elsewhere than beside the previous one and * for the primary";

function refuse(given: string, accepted: string): Result<MonitorPlan[]> {
  return refuseStart(
    "USAGE",
    `"${given}" does not describe monitors; accepted: ${accepted}`,
    "--monitors 2, or --monitors '1280x1024,1920x1080*'",
  );
}
