import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import { loadPolicy, policyFor } from "../../src/guard/policy/file.ts";
import { findStand, type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Failure } from "../../src/model/failure.ts";
import { fc } from "../property.ts";
import { acceptAsItIs } from "./accept.ts";

let home = "";
let places: Places;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-policy-"));
  places = findPlaces({ HOME: home });
  mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(text: string | Uint8Array): void {
  writeFileSync(places.policy, text, { mode: 0o600 });
  acceptAsItIs(places);
}

async function load(text?: string, client = "cli"): Promise<Policy> {
  if (text !== undefined) write(text);
  const loaded = await loadPolicy(places, false);
  if (!loaded.ok) throw new Error(loaded.failure.message);
  return policyFor(loaded.value, client);
}

async function refuse(text?: string | Uint8Array): Promise<Failure> {
  if (text !== undefined) write(text);
  const loaded = await loadPolicy(places, false);
  if (loaded.ok) throw new Error("it was taken");
  expect(loaded.failure).toMatchObject({ code: "REFUSED", reason: "policy" });
  return loaded.failure;
}

/** The line, the column and the message of a problem. */
async function wrong(text: string): Promise<string> {
  const { message } = await refuse(text);
  expect(message.startsWith(`${places.policy}:`)).toBe(true);
  return message.slice(places.policy.length + 1);
}

describe("without a file", () => {
  test("a person's own desktop has the default lists and limits", async () => {
    expect(await load()).toEqual(userPolicy);
    expect(userPolicy).toMatchObject({ actionsPerMinute: 10, sensitive: "ask", isReadOnly: false, hasHotkey: true });
  });

  test("a private desktop has none", async () => {
    const loaded = await loadPolicy(places, true);
    expect(loaded.ok && loaded.value.common).toEqual(sandboxPolicy);
  });
});

describe("a file", () => {
  test("may have comments and trailing commas, and overrides the defaults", async () => {
    const policy = await load(`// mine
      {
        "actionsPerMinute": 30, /* more than usual */
        "sensitive": "deny",
        "hotkey": false,
        "apps": { "Mousepad": "hands-off", "xterm": "normal", },
        "rules": [{ "apps": ["gimp*"], "tools": ["click", "set-*"], "actions": ["delete"], "decision": "allow" },],
        "words": { "delete": ["Verwerfen"] },
      }`);
    expect(policy).toMatchObject({ actionsPerMinute: 30, sensitive: "deny", hasHotkey: false, isReadOnly: false });
    expect(policy.words).toEqual({ delete: ["Verwerfen"] });
    expect(policy.rules).toMatchObject([{ apps: ["gimp*"], tools: ["click", "set-*"], decision: "allow" }]);
    expect(findStand(policy, ["Mousepad"]).standing).toBe("hands-off");
    expect(findStand(policy, ["UXTerm", "xterm"]).standing).toBe("normal");
    expect(findStand(policy, ["keepassxc"]).standing).toBe("blind");
  });

  test("means the same on a private desktop", async () => {
    write(`{ "apps": { "gimp": "blind" } }`);
    const [own, secluded] = [await loadPolicy(places, false), await loadPolicy(places, true)];
    expect(own.ok && secluded.ok && own.value.common).toEqual(secluded.ok ? secluded.value.common : userPolicy);
  });

  test("that names one name of a listed application means the application", async () => {
    const policy = await load(
      `{ "apps": { "gnome-terminal": "normal", "kwalletd6": "hands-off", "kwalletd": "blind" } }`,
    );
    expect(findStand(policy, ["Gnome-terminal", "gnome-terminal-server"]).standing).toBe("normal");
    expect(findStand(policy, ["kwalletd6"]).standing).toBe("hands-off");
    expect(findStand(policy, ["ksecretd"]).standing).toBe("blind");
  });

  test("may set a standing for all applications that it does not name", async () => {
    const policy = await load(`{ "apps": { "*": "hands-off", "mousepad": "normal" } }`);
    expect(findStand(policy, ["Mousepad", "org.xfce.mousepad"]).standing).toBe("normal");
    expect(findStand(policy, ["gimp"]).standing).toBe("hands-off");
    expect(findStand(policy, ["keepassxc"]).standing).toBe("blind");
  });

  test("sets rules per client: the first matching section, before the general ones", async () => {
    const text = `{ "actionsPerMinute": 20, "rules": [{ "decision": "ask" }], "clients": {
      "Claude*": { "readOnly": true, "rules": [{ "tools": ["click"], "decision": "deny" }] },
      "*": { "actionsPerMinute": 5 } } }`;
    const [claude, other] = [await load(text, "claude code"), await load(text, "cli")];
    expect(claude).toMatchObject({ isReadOnly: true, actionsPerMinute: 20 });
    expect(claude.rules.map(({ decision }) => decision)).toEqual(["deny", "ask"]);
    expect(other).toMatchObject({ isReadOnly: false, actionsPerMinute: 5 });
  });

  test("with a byte order mark is read without it", async () => {
    expect(await load(`\ufeff{ "actionsPerMinute": 3 }`)).toMatchObject({ actionsPerMinute: 3 });
  });
});

describe("mistakes are reported with line, column and the correct form", () => {
  const cases: readonly (readonly [string, string])[] = [
    [`{\n  "sensitve": "ask"\n}`, `2:3: "sensitve" is not a setting; did you mean "sensitive"? Known:`],
    [`{ "sensitive": "maybe" }`, `1:16: "maybe" is not one of "allow", "ask", "deny"`],
    [`{ "actionsPerMinute": -1 }`, `1:23: -1 is not a whole number from 0 to 1000`],
    [`{ "actionsPerMinute": 2.5 }`, `1:23: 2.5 is not a whole number from 0 to 1000`],
    [`{ "actionsPerMinute": "10" }`, `1:23: "10" is not a whole number from 0 to 1000`],
    [`{ "readOnly": "yes" }`, `1:15: "yes" is neither true nor false`],
    [`{\r\n"apps":\r\n  { "gimp": "Blind" } }`, `3:13: "Blind" is not one of "blind", "hands-off", "normal"`],
    [`{ "apps": ["gimp"] }`, `1:11: expected { … }, found [ … ]`],
    [`{ "apps": { "gi*mp": "blind" } }`, `1:13: "gi*mp": * is allowed only at the end of a name`],
    [`{ "apps": { "": "blind" } }`, `1:13: expected a name`],
    [`{ "apps": { "Gimp": "blind", "gimp": "normal" } }`, `1:30: "gimp" is here twice`],
    [
      `{ "rules": [{ "tools": ["clik"], "decision": "ask" }] }`,
      `1:25: "clik" is not a tool that acts; did you mean "click"?`,
    ],
    [`{ "rules": [{ "tools": ["read"], "decision": "deny" }] }`, `1:25: "read" does not act`],
    [
      `{ "rules": [{ "tools": [] , "decision": "ask" }] }`,
      `1:24: this list is empty: add names of tools, or leave it out`,
    ],
    [`{ "rules": [{ "tools": ["click"] }] }`, `1:13: "decision" is missing here`],
    [`{ "rules": { "decision": "ask" } }`, `1:12: expected a list of rules, [{ "decision": "ask" }], found { … }`],
    [`{ "clients": { "a": { "clients": [] } } }`, `1:23: "clients" is not a setting`],
    [`{ "words": { "erase": ["Weg"] } }`, `1:14: "erase" is not a kind of action`],
    [`{ "words": { "delete": [7] } }`, `1:25: expected a word in double quotes, found 7`],
    [`{ "sensitive": "ask" "hotkey": true }`, "1:22: a comma is missing here"],
    [`{ "sensitive": "ask"\n`, "2:1: a } is missing here"],
    [`{ sensitive: "ask" }`, "1:3: unknown word"],
    [`{ /* "sensitive": "ask" }`, "1:3: this comment is not closed"],
    [`[]`, "1:1: expected { … }, found [ … ]"],
    ["", "1:1: "],
    ["{}{}", "1:3: nothing may follow here"],
    ["[".repeat(200_000), "1:"],
  ];
  for (const [text, message] of cases) {
    test(`${JSON.stringify(text.slice(0, 60))}`, async () => {
      expect((await wrong(text)).slice(0, message.length)).toBe(message);
    });
  }

  test("the first problem, and how many more there are", async () => {
    expect(await wrong(`{ "a": 1,\n "b": 2,\n "c": 3 }`)).toMatch(/^1:3: .* \(and 2 more\)$/);
  });
});

describe("an untrusted file is no policy", () => {
  test("a file or a folder that others can write", async () => {
    write("{}");
    chmodSync(places.policy, 0o620);
    expect((await refuse()).suggestion).toContain(`chmod go-w '${places.policy}'`);
    chmodSync(places.policy, 0o600);
    chmodSync(join(home, ".config/deskmap"), 0o777);
    expect((await refuse()).message).toContain("can be written by other users");
  });

  test("a directory, a pipe, a dangling link, bytes that are not text, a file of two megabytes", async () => {
    mkdirSync(places.policy);
    expect((await refuse()).message).toContain("not a file");
    rmSync(places.policy, { recursive: true });
    Bun.spawnSync(["mkfifo", "-m", "600", places.policy]);
    expect((await refuse()).message).toContain("not a file");
    rmSync(places.policy);
    symlinkSync(join(home, "nowhere"), places.policy);
    expect((await refuse()).message).toContain("ENOENT");
    rmSync(places.policy);
    expect((await refuse(Uint8Array.of(0x7b, 0xff, 0x7d))).message).toContain("not UTF-8");
    expect((await refuse(`{}${" ".repeat(2_000_000)}`)).message).toContain("at most 1000000");
  });

  test("a folder that is a file", async () => {
    rmSync(join(home, ".config/deskmap"), { recursive: true });
    writeFileSync(join(home, ".config/deskmap"), "");
    expect((await refuse()).message).toContain("cannot be read");
  });
});

describe("whatever the file contains", () => {
  const standing = fc.constantFrom("blind", "hands-off", "normal", "Blind", 1, null);
  const name = fc.oneof(fc.string(), fc.constantFrom("gimp", "xterm", "a*", "*", " "));
  const sketch = fc.record(
    {
      actionsPerMinute: fc.oneof(fc.integer({ min: -2, max: 1002 }), fc.double(), fc.string()),
      sensitive: fc.constantFrom("ask", "allow", "deny", "Ask", true),
      readOnly: fc.oneof(fc.boolean(), fc.constantFrom("true", 0)),
      hotkey: fc.oneof(fc.boolean(), fc.constant(null)),
      apps: fc.dictionary(name, standing),
      rules: fc.array(
        fc.record({ apps: fc.array(name), decision: fc.constantFrom("ask", "deny", "x") }, { requiredKeys: [] }),
      ),
      clients: fc.dictionary(name, fc.record({ readOnly: fc.boolean() }, { requiredKeys: [] })),
      words: fc.dictionary(fc.constantFrom("delete", "erase"), fc.array(fc.string())),
      other: fc.json(),
    },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    sketch.map((value) => JSON.stringify(value)),
    // A valid file with a piece cut out.
    fc.tuple(sketch, fc.nat(), fc.nat(20)).map(([value, at, length]) => {
      const text = JSON.stringify(value);
      const from = at % (text.length + 1);
      return text.slice(0, from) + text.slice(from + length);
    }),
  );

  test("it either fails closed or means what a plain reading of it says", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        write(text);
        const loaded = await loadPolicy(places, false);
        if (!loaded.ok) {
          expect(loaded.failure).toMatchObject({ code: "REFUSED", reason: "policy" });
          return;
        }
        const said = JSON.parse(text);
        const { common } = loaded.value;
        expect(common.actionsPerMinute).toBe(said.actionsPerMinute ?? userPolicy.actionsPerMinute);
        expect(common.sensitive).toBe(said.sensitive ?? userPolicy.sensitive);
        expect(common.isReadOnly).toBe(said.readOnly ?? false);
        expect(common.hasHotkey).toBe(said.hotkey ?? true);
        for (const [app, one] of Object.entries(said.apps ?? {})) {
          expect<unknown>(common.standings.get(app.toLowerCase())).toBe(one);
        }
        const named = new Set(Object.keys(said.apps ?? {}).map((app) => app.toLowerCase()));
        if (named.size === 0) expect(common.standings).toEqual(userPolicy.standings);
        expect(common.rules).toHaveLength(said.rules?.length ?? 0);
      }),
    );
  });
});
