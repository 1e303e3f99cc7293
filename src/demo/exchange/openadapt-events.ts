import type { Point } from "../../model/bounds.ts";
import type { RecordedAction } from "../../model/demo.ts";
import { keyNames, type Modifier, modifierNames } from "../../model/keys.ts";
import { maskSecrets } from "../../model/secrets-in-text.ts";
import type { Observed } from "./openadapt-ref.ts";
import { type Row, textOf } from "./rows.ts";

/** What the coordinates of a recording mean. */
export interface Frame {
  /** Physical pixels for each of the recorder's. */
  readonly ratio: number;
  /** Whether they count pixels of the window's picture: then they are physical already. */
  readonly isWindow: boolean;
  readonly doubleMs: number;
  readonly doublePx: number;
}

/** A row of the table of events, with its window. */
export interface Event {
  readonly name: string;
  readonly row: Row;
  readonly atMs: number;
  readonly window: string | undefined;
  readonly app: string | undefined;
  /** The window's upper left corner, in physical pixels of the screen. */
  readonly origin: Point;
  readonly seen: Observed | undefined;
}

/** A step, and the event that began it. */
interface Composed {
  readonly action: Omit<RecordedAction, "n" | "by" | "client">;
  readonly first: Event;
}

type Action = Composed["action"];

const dragPx = 8;
/** As long as a person types on, it is one text. */
const pauseMs = 3000;

/** Presses, releases, keys and turns of the wheel become steps. */
export function composeEvents(events: readonly Event[], frame: Frame): readonly Composed[] {
  const done: Composed[] = [];
  const held = new Set<Modifier>();
  const taken = new Set<Event>();
  let typing: { readonly first: Event; text: string; lastMs: number } | undefined;
  const endText = (): void => {
    if (typing !== undefined && typing.text !== "") done.push(composeText(typing.first, typing.text, typing.lastMs));
    typing = undefined;
  };
  for (const [index, event] of events.entries()) {
    if (taken.has(event)) continue;
    if (event.name === "press" || event.name === "release") {
      const modifier = modifierOf(event);
      if (modifier !== undefined) {
        if (event.name === "press") held.add(modifier);
        else held.delete(modifier);
        continue;
      }
      if (event.name === "release") continue;
      const others = [...held].filter((one) => one !== "shift");
      const char = characterOf(event);
      if (char !== undefined && others.length === 0) {
        const isNext =
          typing !== undefined && isSameField(typing.first, event) && event.atMs - typing.lastMs <= pauseMs;
        if (!isNext) endText();
        typing ??= { first: event, text: "", lastMs: event.atMs };
        typing.text += char;
        typing.lastMs = event.atMs;
        continue;
      }
      if (keyOf(event) === "backspace" && held.size === 0 && typing !== undefined && typing.text !== "") {
        typing.text = [...typing.text].slice(0, -1).join("");
        continue;
      }
      endText();
      const key = keyOf(event);
      if (key !== undefined) done.push(compose(event, "type", { key: [...held, key].join("+") }, "focus"));
      continue;
    }
    endText();
    if (event.name === "scroll") addTurn(done, event, frame);
    else if (isPressed(event)) done.push(composePress(events, index, frame, taken));
  }
  endText();
  return done;
}

function composePress(events: readonly Event[], index: number, frame: Frame, taken: Set<Event>): Composed {
  const press = at(events, index);
  const button = buttonOf(press);
  const find = (from: number, isMeant: (event: Event) => boolean): number =>
    events.findIndex((one, place) => place > from && one.name === "click" && buttonOf(one) === button && isMeant(one));
  const releasedAt = find(index, (one) => !isPressed(one));
  const input = button === "left" ? {} : { button };
  const point = pointOf(press, frame);
  if (releasedAt < 0) return compose(press, "click", input, "point", { point });
  const release = at(events, releasedAt);
  taken.add(release);
  const end = pointOf(release, frame);
  if (distance(point, end) > dragPx) {
    return compose(press, "drag", input, "point", { point, toPoint: end, tookMs: release.atMs - press.atMs });
  }
  const secondAt = find(releasedAt, isPressed);
  const second = secondAt < 0 ? undefined : at(events, secondAt);
  const between = events.slice(releasedAt + 1, Math.max(releasedAt + 1, secondAt));
  const isDouble =
    second !== undefined &&
    between.length === 0 &&
    second.atMs - press.atMs <= frame.doubleMs &&
    distance(pointOf(second, frame), point) <= frame.doublePx;
  if (!isDouble) return compose(press, "click", input, "point", { point });
  taken.add(second);
  const lastAt = find(secondAt, (one) => !isPressed(one));
  if (lastAt >= 0) taken.add(at(events, lastAt));
  return compose(press, "click", { ...input, double: true }, "point", { point });
}

/** Turns the same way over the same place are one step. */
function addTurn(done: Composed[], event: Event, frame: Frame): void {
  const [dx, dy] = [Number(event.row.mouse_dx ?? 0), Number(event.row.mouse_dy ?? 0)];
  const direction = Math.abs(dy) >= Math.abs(dx) ? (dy > 0 ? "up" : "down") : dx > 0 ? "right" : "left";
  const amount = Math.max(1, Math.round(Math.max(Math.abs(dx), Math.abs(dy))));
  const point = pointOf(event, frame);
  const last = done.at(-1);
  const isSame = last?.action.tool === "scroll" && last.action.input.direction === direction;
  if (isSame && last.action.point !== undefined && distance(last.action.point, point) <= 40) {
    const sum = Number(last.action.input.amount) + amount;
    done[done.length - 1] = { ...last, action: { ...last.action, input: { direction, amount: Math.min(100, sum) } } };
  } else done.push(compose(event, "scroll", { direction, amount: Math.min(100, amount) }, "point", { point }));
}

function composeText(first: Event, text: string, lastMs: number): Composed {
  const { secret } = first.seen ?? {};
  const tookMs = lastMs - first.atMs;
  if (secret !== undefined) return compose(first, "type", {}, "control", { secret, tookMs });
  return compose(first, "type", { text: maskSecrets(text) }, "focus", { tookMs });
}

function compose(
  event: Event,
  tool: Action["tool"],
  input: Action["input"],
  aim: Action["aim"],
  more: Partial<Action> = {},
): Composed {
  const { ref, evidence } = event.seen ?? {};
  const { app, window } = event;
  return {
    first: event,
    action: {
      ...{ atMs: event.atMs, tookMs: 0, tool, input, aim: ref === undefined ? aim : "control" },
      ...(ref === undefined ? {} : { ref, evidence }),
      ...(app === undefined ? {} : { app }),
      ...(window === undefined ? {} : { window }),
      ...more,
    },
  };
}

function at(events: readonly Event[], index: number): Event {
  const event = events[index];
  if (event === undefined) throw new Error("there is no such event");
  return event;
}

function isPressed({ row }: Event): boolean {
  return row.mouse_pressed === 1 || row.mouse_pressed === true;
}

function buttonOf({ row }: Event): string {
  const name = textOf(row.mouse_button_name)?.toLowerCase() ?? "left";
  return name === "right" || name === "middle" ? name : "left";
}

function pointOf({ row, origin }: Event, { ratio, isWindow }: Frame): Point {
  const [x, y] = [Number(row.mouse_x ?? 0), Number(row.mouse_y ?? 0)];
  if (isWindow) return { x: Math.round(origin.x + x), y: Math.round(origin.y + y) };
  return { x: Math.round(x * ratio), y: Math.round(y * ratio) };
}

function distance(a: Point, b: Point): number {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}

/** Names of pynput, such as ctrl_l, page_down and cmd. */
function plainName({ row }: Event): string | undefined {
  const name = textOf(row.canonical_key_name) ?? textOf(row.key_name);
  return name?.replace(/^Key\./, "").toLowerCase();
}

function modifierOf(event: Event): Modifier | undefined {
  const name = plainName(event)?.replace(/_(?:l|r|gr)$/, "");
  if (name === undefined) return undefined;
  // What is called cmd there is the Windows key on every system but macOS.
  return name === "cmd" ? "super" : modifierNames[name];
}

/** With ctrl held, some systems tell the control character instead of the letter. */
function characterOf(event: Event): string | undefined {
  if (plainName(event) === "space") return " ";
  const char = typeof event.row.key_char === "string" ? event.row.key_char : undefined;
  return char !== undefined && [...char].length === 1 && !/\p{Cc}/u.test(char) ? char : undefined;
}

function keyOf(event: Event): string | undefined {
  const name = plainName(event)?.replaceAll("_", "");
  if (name !== undefined && Object.hasOwn(keyNames, name)) return name;
  const char = textOf(event.row.canonical_key_char) ?? characterOf(event);
  return char !== undefined && [...char].length === 1 && !/\p{Cc}/u.test(char) ? char.toLowerCase() : undefined;
}

function isSameField(a: Event, b: Event): boolean {
  const nameOf = ({ seen, window }: Event): string =>
    JSON.stringify([window, seen?.ref?.name, seen?.ref?.automation_id]);
  return nameOf(a) === nameOf(b);
}
