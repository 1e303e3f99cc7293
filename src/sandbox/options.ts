import { randomBytes } from "node:crypto";
import { fail, type Result, succeed } from "../model/failure.ts";
import { nothingStarted } from "./errors.ts";

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
  return fail({
    code: "USAGE",
    message: `a sandbox cannot use the window manager "${text}"`,
    nearest: MANAGER_KINDS,
    suggestion: `--wm ${MANAGER_KINDS[0]}`,
    done: nothingStarted,
  });
}

export type Size = { width: number; height: number };

const DEFAULT_SIZE: Size = { width: 1280, height: 800 };

/** Parses "1280x800". */
export function parseSize(text: string): Result<Size> {
  const match = /^(\d{1,6})x(\d{1,6})$/i.exec(text.trim());
  return match === null ? refuseSize(text) : checkSize({ width: Number(match[1]), height: Number(match[2]) });
}

export function checkSize(size: Size): Result<Size> {
  const isSide = (px: number) => Number.isInteger(px) && px >= 1 && px <= LARGEST_SIDE_PX;
  return isSide(size.width) && isSide(size.height) ? succeed(size) : refuseSize(`${size.width}x${size.height}`);
}

function refuseSize(given: string): Result<Size> {
  return fail({
    code: "USAGE",
    message: `"${given}" is not a screen size; accepted: WIDTHxHEIGHT in pixels, each from 1 to ${LARGEST_SIDE_PX}`,
    suggestion: `--size ${DEFAULT_SIZE.width}x${DEFAULT_SIZE.height}`,
    done: nothingStarted,
  });
}

export function checkName(name: string): Result<string> {
  if (NAME_PATTERN.test(name)) return succeed(name);
  return fail({
    code: "USAGE",
    message: `"${name}" cannot name a sandbox; accepted: ${NAME_FORM}`,
    suggestion: "--name work",
    done: nothingStarted,
  });
}

export function inventName(): string {
  const letters = Array.from(randomBytes(5), (byte) => NAME_LETTERS[byte % NAME_LETTERS.length]);
  return `box-${letters.join("")}`;
}
