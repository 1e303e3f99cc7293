import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { restrictToRecipient, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { SendingGate } from "../../src/guard/sending/gate.ts";
import {
  allowRecipient,
  describeRecipient,
  parseOrigin,
  withdrawRecipients,
} from "../../src/guard/sending/recipients.ts";
import { type Failure, succeed } from "../../src/model/failure.ts";
import type { SendRequest, SentKind } from "../../src/model/sending.ts";

// The one way out of the machine, to a real server on loopback.

let home: string;
let places: Places;
let ports: number[];
let received: { readonly body: string; readonly headers: Headers }[];
let server: ReturnType<typeof Bun.serve>;
let elsewhere: ReturnType<typeof Bun.serve>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-sending-"));
  places = findPlaces({ HOME: home });
  received = [];
  ports = [];
  const take = async (request: Request, own: typeof server): Promise<Response> => {
    ports.push(own.port ?? 0);
    received.push({ body: await request.text(), headers: request.headers });
    return new Response("data: [DONE]\n\n");
  };
  elsewhere = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request, own) => take(request, own) });
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) =>
      request.url.endsWith("/moved")
        ? Response.redirect(`http://127.0.0.1:${elsewhere.port}/`, 307)
        : take(request, own),
  });
});
afterEach(async () => {
  await Promise.all([server.stop(true), elsewhere.stop(true)]);
  rmSync(home, { recursive: true, force: true });
});

const originOf = (one: typeof server): string => `http://127.0.0.1:${one.port}`;
const records = (): FileRecords => new FileRecords(places);

function allow(kinds: readonly SentKind[] = ["text"], apps?: readonly string[]): void {
  const recipient = { origin: originOf(server), kinds, ...(apps && { apps }), atMs: 1 };
  expect(allowRecipient(records(), recipient).ok).toBe(true);
}

async function send(
  { path = "/", body = '{"messages":[]}' }: { path?: string; body?: string } = {},
  read: readonly (readonly string[])[] = [["mousepad", "Mousepad"]],
  localOnly: readonly string[] = [],
): Promise<{ readonly text: string; readonly failure?: Failure }> {
  const gate = new SendingGate({
    records: records(),
    rules: { refresh: async () => succeed({ ...sandboxPolicy, localOnly }) },
    client: { name: "test" },
  });
  const request: SendRequest = { url: `${originOf(server)}${path}`, headers: { authorization: "Bearer KEY-1" }, body };
  let text = "";
  for await (const part of gate.send(request, read, new AbortController().signal)) {
    if (!part.ok) return { text, failure: part.failure };
    if (part.value.of === "text") text += part.value.text;
  }
  return { text };
}

describe("the gate for what leaves the machine", () => {
  test("lets nothing out before a person has allowed the host, and not after they have withdrawn it", async () => {
    expect((await send()).failure).toMatchObject({ code: "REFUSED", reason: "recipient" });
    allow();
    expect(await send()).toEqual({ text: "data: [DONE]\n\n" });
    withdrawRecipients(records(), originOf(server));
    expect((await send()).failure?.reason).toBe("recipient");
    expect(received.length).toBe(1);
  });

  test("takes no recipient that was written into the ledger by anybody else", async () => {
    allow();
    const ledger = JSON.parse(readFileSync(places.ledger, "utf8"));
    const [own] = ledger.recipients;
    const forged = { ...own, origin: originOf(elsewhere), kinds: ["text", "picture", "sound"] };
    writeFileSync(
      places.ledger,
      JSON.stringify({ ...ledger, recipients: [{ ...own, kinds: ["picture", "text"] }, forged] }),
    );
    expect((await send()).failure?.reason).toBe("recipient");
    expect(received).toEqual([]);
  });

  test("judges the kind of what is sent by its own parts", async () => {
    allow();
    const picture = '{"messages":[{"content":[{"type":"image_url","image_url":{"url":"https://x.example"}}]}]}';
    const hidden = '{"messages":[{"content":"data:image/png;base64,AAAA"}]}';
    const sound = '{"messages":[{"content":[{"type":"input_audio"}]}]}';
    for (const body of [picture, hidden, sound, "not JSON"]) {
      expect([body, (await send({ body })).failure?.reason]).toEqual([body, "recipient"]);
    }
    expect(received).toEqual([]);
    allow(["text", "picture"]);
    expect((await send({ body: picture })).failure).toBeUndefined();
  });

  test("sends nothing once an application was read that may not be sent", async () => {
    allow();
    expect((await send({}, [["thunderbird"]], ["thunder*"])).failure?.reason).toBe("local-only");
    allow(["text"], ["firefox"]);
    expect((await send()).failure?.reason).toBe("local-only");
    expect((await send({}, [["Navigator", "firefox"]])).failure).toBeUndefined();
    expect(received.length).toBe(1);
  });

  test("does not follow a server to another host", async () => {
    allow();
    expect((await send({ path: "/moved" })).failure).toMatchObject({ code: "REFUSED", reason: "recipient" });
    expect(received).toEqual([]);
  });

  test("sends to this machine's own addresses directly, whatever proxy is set", async () => {
    allow();
    const names = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) delete process.env[name];
    process.env.HTTP_PROXY = originOf(elsewhere);
    process.env.http_proxy = originOf(elsewhere);
    try {
      expect((await send()).failure).toBeUndefined();
      expect(received.map(({ headers }) => headers.get("host"))).toEqual([new URL(originOf(server)).host]);
      expect(ports).toEqual([server.port ?? 0]);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test("logs size, digest, kind, host and applications before it sends, and no content and no key", async () => {
    allow();
    const body = '{"messages":["the secret plan"]}';
    await send({ body });
    const log = readFileSync(places.audit, "utf8");
    const line = log.split("\n").find((one) => one.includes('"what":"send"')) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({
      recipient: originOf(server),
      apps: ["mousepad"],
      sent: { kinds: ["text"], bytes: body.length, hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    for (const secret of ["secret plan", "KEY-1"]) expect(log).not.toContain(secret);
  });

  test("sends nothing after a stop", async () => {
    allow();
    writeFileSync(places.stopped, JSON.stringify({ atMs: 1, by: "deskmap stop" }));
    expect((await send()).failure?.reason).toBe("stopped");
    expect(received).toEqual([]);
  });
});

describe("a recipient", () => {
  test("is a scheme, a host and a port, however it is written", () => {
    const read = (given: string): string | undefined => {
      const origin = parseOrigin(given);
      return origin.ok ? origin.value : undefined;
    };
    expect(["openrouter.ai", "https://openrouter.ai/api/v1", "localhost:11434", "127.0.0.1:8080"].map(read)).toEqual([
      "https://openrouter.ai",
      "https://openrouter.ai",
      "http://localhost:11434",
      "http://127.0.0.1:8080",
    ]);
    expect(["", "a b", "https://user:pass@host", "ftp://host"].map(read)).toEqual(Array(4).fill(undefined));
  });

  test("is described by what will go there, and whether it leaves the machine", () => {
    const kinds = ["text"] as const;
    expect(describeRecipient({ origin: "https://openrouter.ai", kinds })).toContain("it leaves this machine");
    expect(describeRecipient({ origin: "http://lan.example", kinds })).toContain("not encrypted");
    expect(describeRecipient({ origin: "http://127.0.0.1:11434", kinds })).toContain("does not leave it");
    // A name that only begins like a loopback address is a host anywhere.
    expect(describeRecipient({ origin: "http://127.0.0.1.evil.example", kinds })).toContain("it leaves this machine");
  });
});

test("what a model proposes is asked about, whatever a rule or the policy allows", () => {
  const rules = [
    { actions: ["delete"], decision: "allow" },
    { apps: ["gimp"], decision: "deny" },
  ] as const;
  const policy = restrictToRecipient({ ...sandboxPolicy, rules }, { origin: "https://x.example" });
  expect(policy).toMatchObject({ sensitive: "ask", rules: [{ decision: "deny" }] });
});
