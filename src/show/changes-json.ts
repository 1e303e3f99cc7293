import type { ChangedControl, ChangeLine } from "../model/change-line.ts";
import { shorten } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { showAround } from "./changed-value.ts";
import { cutValue } from "./cut-value.ts";
import { stringify } from "./json.ts";

const maxTextLength = 500;

/** One line of JSON Lines, with the keys that a read has; docs/tools.md lists them. */
export function lineToJson(line: ChangeLine): string {
  return stringify(lineToObject(line), false);
}

export function lineToObject(line: ChangeLine): Readonly<Record<string, unknown>> {
  switch (line.kind) {
    case "start":
    case "note": {
      const { kind, ...rest } = line;
      return "window" in rest ? { kind, w: rest.window, code: rest.code, text: rest.text } : { kind, ...rest };
    }
    case "token":
      return { kind: line.kind, token: line.token, ts: line.atMs / 1000 };
    case "window": {
      const { kind, what, window, app, title, place, states, was } = line;
      return {
        kind,
        what,
        w: window,
        app,
        title,
        ...(place === undefined ? {} : { place }),
        ...(states === undefined ? {} : { x: states }),
        ...(was === undefined ? {} : { was }),
      };
    }
    case "appeared":
    case "moved":
      return {
        kind: line.kind,
        ...controlToObject(line),
        ...(line.in === undefined ? {} : { in: line.in }),
        ...(line.after === undefined ? {} : { after: line.after }),
      };
    case "changed": {
      const { value = "", was } = line;
      const [then, now] = showAround(was.value ?? "", value, maxTextLength);
      const isValue = was.value !== undefined;
      return {
        kind: line.kind,
        ...controlToObject(line),
        ...(isValue ? { v: now } : {}),
        was: isValue ? { ...was, value: then } : was,
      };
    }
    case "gone":
    case "emptied":
    case "focus":
      return { kind: line.kind, ...controlToObject(line) };
  }
}

function controlToObject({ id, role, name, window, taught, value, states, bounds }: ChangedControl) {
  return {
    i: id,
    r: shortRole(role),
    ...(name === "" ? {} : { t: shorten(name, maxTextLength) }),
    ...(taught === undefined ? {} : { n: shorten(taught, maxTextLength) }),
    ...(value === undefined ? {} : { v: cutValue(role, value, maxTextLength) }),
    ...(states === undefined ? {} : { x: states }),
    ...(bounds === undefined ? {} : { b: bounds }),
    w: window,
  };
}
