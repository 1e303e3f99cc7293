import type { Scene } from "../../../tests/desktop/scene.ts";
import type { Data } from "./data.ts";
import type { Sight } from "./sight.ts";

/** An application, with tasks that an agent may be given in it. */
export interface Application {
  readonly name: string;
  /** The Debian package, and the program that proves it present. */
  readonly package: string;
  readonly program: string;
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly name: string;
  plan(data: Data): Plan;
}

export interface Plan {
  /** Files of the task's folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly open: readonly [string, ...string[]];
  /** A part of the title of the window that it opens. */
  readonly title: string;
  /** Five to fifteen. */
  readonly steps: readonly Step[];
  /** The final state. */
  readonly check: Check;
}

/** One command line of deskmap. */
export interface Step {
  readonly line: readonly Word[];
  /** What the step does if it works, read by another route. */
  readonly effect?: Check;
  /** The code with which it must be refused, with nothing done. */
  readonly refusal?: string;
}

/** A word of a command line, or what finds it in the answers of earlier steps, the last one first. */
export type Word = string | ((answers: readonly unknown[]) => string);

/** A condition that is read without Deskmap. */
export interface Check {
  readonly what: string;
  holds(desk: Desk): boolean;
}

export interface Desk {
  readonly scene: Scene;
  /** A fresh look, or the last one if that is fresh. */
  look(): Sight;
}

/** A command line: words and "quoted words"; each value is one word. */
export function cmd(parts: TemplateStringsArray, ...values: readonly Word[]): Step {
  const line = parts.flatMap((part, index): readonly Word[] => {
    const words = (part.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"(.*)"$/s, "$1"));
    const value = values[index];
    return value === undefined ? words : [...words, value];
  });
  return { line };
}

/** A step with an effect of its own that is checked at once. */
export function sees(step: Step, effect: Check): Step {
  return { ...step, effect };
}

/** A dialog in front must be the reason: a control that is only disabled proves nothing. */
export function refused(step: Step, refusal = "COVERED"): Step {
  return { ...step, refusal };
}

interface Marked {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

/** The mark of the first control of this role and name in the latest answer that has one. */
export function markOf(role: string, name: string | RegExp): Word {
  return (answers) => {
    for (const answer of answers) {
      const found = listMarked(answer).find(
        ({ r, t = "" }) => r === role && (typeof name === "string" ? t === name : name.test(t)),
      );
      if (found !== undefined) return String(found.i);
    }
    throw new Error(`no answer has a ${role} ${String(name)}`);
  };
}

function listMarked(value: unknown): Marked[] {
  if (Array.isArray(value)) return value.flatMap(listMarked);
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(listMarked);
  return isMarked(value) ? [value, ...inside] : inside;
}

function isMarked(value: object): value is Marked {
  return "i" in value && typeof value.i === "number" && "r" in value && typeof value.r === "string";
}
