import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Approval, Question } from "../../src/guard/approval/approver.ts";
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import {
  answerPath,
  digestOf,
  listAsked,
  listSurfaces,
  requestPath,
  Surface,
  signedText,
} from "../../src/guard/approval/surface.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import type { Result } from "../../src/model/failure.ts";
import { aQuestion } from "./sample-question.ts";
import { launcher, startAtTerminal, type TerminalSession, until } from "./terminal-session.ts";

let home: string;
let env: Record<string, string | undefined>;
let places: Places;
let terminals: TerminalSession[];
const asker = [process.execPath, Bun.fileURLToPath(import.meta.resolve("./asker.ts"))];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-approval-"));
  env = { PATH: process.env.PATH, HOME: home, TERM: "xterm" };
  places = findPlaces(env);
  terminals = [];
});
afterEach(async () => {
  await Promise.all(terminals.map((one) => one.leave()));
  rmSync(home, { recursive: true, force: true });
});

function openTerminal(...command: readonly string[]): TerminalSession {
  const terminal = startAtTerminal(command, env);
  terminals.push(terminal);
  return terminal;
}

async function openApprove(): Promise<TerminalSession> {
  const terminal = openTerminal(launcher, "approve");
  await terminal.see("Deskmap asks here");
  return terminal;
}

function ask(question: Question = aQuestion, expiryMs = 20_000): Promise<Result<Approval>> {
  // The tests may run at a terminal; it must not be asked at.
  return new PersonApprover(places, expiryMs, () => undefined).ask(question);
}

const reasonOf = (answer: Result<unknown>): string | undefined => (answer.ok ? "allowed" : answer.failure.reason);
const messageOf = (answer: Result<unknown>): string => (answer.ok ? "allowed" : answer.failure.message);
const listRequests = (): string[] => listFiles().filter((name) => name.endsWith(".request"));
const listFiles = (): string[] => (existsSync(places.surfaces) ? readdirSync(places.surfaces) : []);

async function findNonce(): Promise<string> {
  await until("a request", () => listRequests().length > 0);
  return (listRequests()[0] ?? "").replace(".request", "");
}

describe("with deskmap approve open", () => {
  test("a person reads exactly what is asked, and y allows it", async () => {
    const person = await openApprove();
    const asked = ask();
    const prompt = await person.see("Type y or n");
    for (const part of ['click btn "Delete" (12) in "Files"', '"Home"', '"test client" (claimed) through click']) {
      expect(prompt).toContain(part);
    }
    expect(prompt).toContain('delete: it says "Delete"');
    person.type("y\n");
    const answer = await asked;
    const code = /code\s+([0-9A-Z]{4})/.exec(prompt)?.[1];
    expect(answer).toEqual({
      ok: true,
      value: { by: `deskmap approve, process ${await person.pid()}, request ${code}` },
    });
    await person.see(`Allowed once: ${code}`);
    expect(listFiles().filter((name) => !name.endsWith(".surface"))).toEqual([]);
  });

  test("it is asked for a minute", async () => {
    const person = await openApprove();
    const fromMs = Date.now();
    const asked = new PersonApprover(places, undefined, () => undefined).ask(aQuestion);
    const { untilMs } = JSON.parse(readFileSync(requestPath(places, await findNonce()), "utf8"));
    expect([untilMs >= fromMs + 60_000, untilMs <= Date.now() + 60_000]).toEqual([true, true]);
    await person.see("Type y or n");
    person.type("n\n");
    expect(reasonOf(await asked)).toBe("denied");
  });

  test("what it shows is in a private file for so long, and gone afterwards", async () => {
    const person = await openApprove();
    const asked = ask({ ...aQuestion, content: [{ label: "text", text: "Dear Ada" }] });
    const file = requestPath(places, await findNonce());
    expect(readFileSync(file, "utf8")).toContain("Dear Ada");
    expect([file, places.surfaces].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
    await person.see("Type y or n");
    person.type("n\n");
    await asked;
    expect(listRequests()).toEqual([]);
  });

  test("n refuses it, and the asker is given the same code", async () => {
    const person = await openApprove();
    const asked = ask();
    const prompt = await person.see("Type y or n");
    person.type("n\n");
    const answer = await asked;
    expect(reasonOf(answer)).toBe("denied");
    expect(messageOf(answer)).toContain(/code\s+([0-9A-Z]{4})/.exec(prompt)?.[1] ?? "no code");
  });

  test("an empty line, other words and Ctrl-D are no yes", async () => {
    const person = await openApprove();
    const asked = ask();
    for (const typed of ["\n", "  \n", "yep\n", "ye\n"]) {
      await person.see("Type y or n, then Enter: ");
      person.type(typed);
    }
    await person.see("Type y or n, then Enter: ");
    person.type("\u0004");
    expect(reasonOf(await asked)).toBe("denied");
  });

  test("input typed before the question does not count", async () => {
    const person = await openApprove();
    person.type("y\nyes\ny");
    await person.see("yes");
    const asked = ask();
    await person.see("Type y or n, then Enter: ");
    person.type("n\n");
    expect(reasonOf(await asked)).toBe("denied");
  });

  test("each question is asked separately", async () => {
    const person = await openApprove();
    const first = ask();
    await person.see("Type y or n");
    person.type("y\n");
    expect(reasonOf(await first)).toBe("allowed");
    const second = ask();
    await person.see("Type y or n");
    person.type("n\n");
    expect(reasonOf(await second)).toBe("denied");
  });

  test("silence refuses it when the time is over, and a late y has no effect", async () => {
    const person = await openApprove();
    const answer = await ask(aQuestion, 700);
    expect(reasonOf(answer)).toBe("unanswered");
    await person.see("is over");
    person.type("y\n");
    const next = ask();
    await person.see("Type y or n, then Enter: ");
    person.type("n\n");
    expect(reasonOf(await next)).toBe("denied");
  });

  test("a surface that is killed meanwhile is reported as such, and nothing of it can be used", async () => {
    const person = await openApprove();
    const asked = ask();
    await person.see("Type y or n");
    process.kill(await person.pid(), "SIGKILL");
    const answer = await asked;
    expect(reasonOf(answer)).toBe("unanswered");
    expect(messageOf(answer)).toContain("has been closed");
    expect(listSurfaces(places)).toEqual([]);
    expect(reasonOf(await ask())).toBe("unasked");
  });

  test("a surface closed with Ctrl-C refuses pending questions", async () => {
    const person = await openApprove();
    const asked = ask();
    await person.see("Type y or n");
    person.type("\u0003");
    expect(reasonOf(await asked)).toBe("unanswered");
    expect(await person.ended).toBe(0);
    expect(listFiles().filter((name) => name.endsWith(".surface"))).toEqual([]);
  });

  test("the asker may leave, killed or not: the question is withdrawn", async () => {
    const person = await openApprove();
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const child = spawn(asker[0] ?? "", [...asker.slice(1), "20000"], { env: { ...env }, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await person.see("Type y or n");
      child.kill(signal);
      await ended;
      await person.see("is over");
    }
    person.type("y\n");
    expect(listFiles().filter((name) => name.endsWith(".answer"))).toEqual([]);
  });

  test("application text can neither look like a part of the question nor control the terminal", async () => {
    const person = await openApprove();
    const evil =
      'x"\r\nAllow this once? Type y or n, then Enter: y\r\n\u001b[2J\u001b]0;t\u0007\u202e\u009b1mcode AAAA';
    const asked = ask({ ...aQuestion, window: evil, app: evil, client: evil, words: evil, why: evil });
    await person.see(/\n {2}code/);
    await person.see("Type y or n, then Enter: ");
    person.type("n\n");
    expect(reasonOf(await asked)).toBe("denied");
    const shown = person.shown();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(shown).not.toMatch(/[\u001b\u0007\u0080-\u009f\u202e]/);
    expect(shown.split("\n").filter((line) => line.startsWith("Allow this once?"))).toHaveLength(1);
  });
});

describe("without a surface", () => {
  test("it is refused at once, with how to open one", async () => {
    const answer = await ask();
    expect(reasonOf(answer)).toBe("unasked");
    expect(answer.ok ? "" : answer.failure.suggestion).toContain("deskmap approve");
  });

  test("it is asked at the terminal where the command was typed", async () => {
    for (const [typed, outcome] of [
      ["y\n", '"ok":true'],
      ["n\n", '"reason":"denied"'],
    ] as const) {
      const person = openTerminal(...asker, "20000");
      expect(await person.see("Type y or n, then Enter: ")).toContain('click btn "Delete" (12) in "Files"');
      person.type("\n");
      await person.see("Type y or n, then Enter: ");
      person.type(typed);
      expect(await person.see(/result .*\}/)).toContain(outcome);
    }
  });

  test("Ctrl-C there withdraws it", async () => {
    const person = openTerminal(...asker, "20000");
    await person.see("Type y or n, then Enter: ");
    person.type("\u0003");
    expect(await person.ended).not.toBe(0);
    expect(person.shown()).not.toContain("result");
  });

  test("silence at that terminal until the time is over refuses it", async () => {
    const person = openTerminal(...asker, "400");
    await person.see('"reason":"unanswered"');
  });

  test("yes on standard input does not count", () => {
    const run = spawnSync(asker[0] ?? "", [...asker.slice(1), "20000"], { env: { ...env }, input: "y\nyes\n" });
    expect(run.stdout.toString()).toContain('"reason":"unasked"');
    const piped = spawnSync("setsid", ["--wait", launcher, "approve"], { env: { ...env }, input: "y\n" });
    expect(piped.status).toBe(3);
    expect(piped.stderr.toString()).toContain("only a person at a terminal");
  });

  test("nor does a terminal of which this command does not have the keyboard", async () => {
    const piped = openTerminal("sh", "-c", `yes | '${asker.join("' '")}' 20000`);
    await piped.see('"reason":"unasked"');
  });
});

describe("nobody else can answer", () => {
  const forge = (nonce: string, id: string, text: string): void => {
    writeFileSync(`${answerPath(places, nonce, id)}.new`, text);
    renameSync(`${answerPath(places, nonce, id)}.new`, answerPath(places, nonce, id));
  };

  test("by writing yes, with another key, or in the name of a surface that was not open", async () => {
    const surface = Surface.open(places);
    const other = generateKeyPairSync("ed25519").privateKey;
    const signed = (nonce: string, id: string): string => {
      const digest = digestOf(readFileSync(requestPath(places, nonce), "utf8"));
      return sign(null, signedText(digest, nonce, id, "yes"), other).toString("base64");
    };
    const forgeries: readonly ((nonce: string) => void)[] = [
      (nonce) => forge(nonce, surface.id, "yes"),
      (nonce) => forge(nonce, surface.id, '{"verdict":"yes","signature":""}'),
      (nonce) => forge(nonce, surface.id, JSON.stringify({ verdict: "yes", signature: signed(nonce, surface.id) })),
      (nonce) => forge(nonce, "0000", JSON.stringify({ verdict: "yes", signature: signed(nonce, "0000") })),
    ];
    for (const attempt of forgeries) {
      const asked = ask();
      attempt(await findNonce());
      const answer = await asked;
      expect(reasonOf(answer)).toBe("denied");
      expect(messageOf(answer)).toContain("no open place for answers has signed");
    }
    surface.close();
  });

  test("through a surface that is opened after the question was asked", async () => {
    const surface = Surface.open(places);
    const asked = ask();
    await findNonce();
    const late = Surface.open(places);
    expect(late.listPending()).toEqual([]);
    const [shown] = listAsked(places);
    if (shown === undefined) throw new Error("nothing is pending");
    late.answer(shown, "yes");
    expect(reasonOf(await asked)).toBe("denied");
    surface.close();
    late.close();
  });

  test("with an answer to another question, or a no turned into a yes", async () => {
    const surface = Surface.open(places);
    const first = ask();
    const nonce = await findNonce();
    const [shown] = surface.listPending();
    if (shown === undefined) throw new Error("nothing is pending");
    const path = answerPath(places, nonce, surface.id);
    // Intercepts the answer, so that the first question gets none.
    surface.answer(shown, "yes");
    const caught = existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(reasonOf(await first)).toBe("allowed");
    expect(caught).not.toBe("");
    const second = ask();
    forge(await findNonce(), surface.id, caught);
    expect(reasonOf(await second)).toBe("denied");

    const third = ask();
    const [refused] = await waitForPending(surface);
    if (refused === undefined) throw new Error("nothing is pending");
    const no = spoil(surface, refused);
    expect(reasonOf(await third)).toBe("denied");
    expect(no).toContain('"no"');
    surface.close();
  });

  const waitForPending = async (surface: Surface): Promise<ReturnType<Surface["listPending"]>> => {
    await until("a question", () => surface.listPending().length > 0);
    return surface.listPending();
  };
  const spoil = (surface: Surface, shown: ReturnType<Surface["listPending"]>[number]): string => {
    surface.answer(shown, "no");
    const path = answerPath(places, shown.request.nonce, surface.id);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"no"', '"yes"'));
    return text;
  };

  test("by changing the question before it is shown: the shown text is signed", async () => {
    const surface = Surface.open(places);
    const asked = ask();
    const nonce = await findNonce();
    const text = readFileSync(requestPath(places, nonce), "utf8");
    writeFileSync(requestPath(places, nonce), text.replaceAll("Delete", "Refresh"));
    const [shown] = surface.listPending();
    if (shown === undefined) throw new Error("nothing is pending");
    expect(shown.request.words).toContain("Refresh");
    surface.answer(shown, "yes");
    expect(reasonOf(await asked)).toBe("denied");
    surface.close();
  });

  test("by changing it afterwards: the question ends for its reader", async () => {
    const surface = Surface.open(places);
    const asked = ask(aQuestion, 600);
    const nonce = await findNonce();
    const [shown] = surface.listPending();
    if (shown === undefined) throw new Error("nothing is pending");
    writeFileSync(requestPath(places, nonce), "{}");
    expect(surface.isPending(shown)).toBe(false);
    expect(reasonOf(await asked)).toBe("unanswered");
    surface.close();
  });

  test("with a file that only claims that a surface is open", async () => {
    const surface = Surface.open(places);
    const [note] = listSurfaces(places);
    surface.close();
    writeFileSync(join(places.surfaces, `${note?.id}.surface`), JSON.stringify(note));
    expect(reasonOf(await ask())).toBe("unasked");
  });
});
