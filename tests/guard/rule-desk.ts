import { rmSync, writeFileSync } from "node:fs";
import { type Approver, nobody } from "../../src/guard/approval/approver.ts";
import { endGrants, FileRecords, giveGrant } from "../../src/guard/audit/file-records.ts";
import type { Client } from "../../src/guard/gate.ts";
import { Guard } from "../../src/guard/guard.ts";
import { findPlaces, makeStateFolder, replaceFile } from "../../src/guard/places.ts";
import { LivePolicy } from "../../src/guard/policy/live.ts";
import type { Policy } from "../../src/guard/policy/policy.ts";
import { FileTurns, StoppableTurns } from "../../src/guard/turn.ts";
import type { ElementCommand, InputCommand, ProgramCommand, WindowCommand } from "../../src/model/command.ts";
import { type Element, flatten, type SingleElement } from "../../src/model/element.ts";
import { fail, type Result, succeed } from "../../src/model/failure.ts";
import type { Window } from "../../src/model/window.ts";
import type { ProcessIdentity } from "../../src/os/index.ts";
import { FakeHands } from "../../src/platform/fake/hands.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Recheck } from "../../src/platform/hands.ts";
import type { ModelClient, ModelGrant, ModelPolicy } from "./rule-model.ts";

/** Two lie in the left half of the screen and two in the right half, each pair one over the other. */
export const apps = ["pad", "keepassxc", "mail", "xterm"] as const;
export type App = (typeof apps)[number];
const left: readonly App[] = ["pad", "keepassxc"];

export const labels = ["Save", "Delete", "Send"] as const;
export const textField = "Text";
export const secretField = "PIN";
export const secretName = "BANK_PIN";

/** Keeps what was delivered, and does nothing else but raise windows. A text comes in two parts. */
class CountingHands extends FakeHands {
  constructor(private readonly desk: RuleDesk) {
    super(desk.fake);
  }

  override doToElement(_command: ElementCommand): Promise<Result<void>> {
    return this.note();
  }

  override async fillSecret() {
    await this.note();
    return succeed("counted" as const);
  }

  override async input(command: InputCommand, _window?: Window, recheck?: Recheck) {
    await this.note();
    if (command.kind !== "type") return succeed(undefined);
    this.desk.halfway?.();
    const failure = await recheck?.();
    if (failure !== undefined) return fail<string | undefined>(failure);
    await this.note();
    return succeed(undefined);
  }

  override async arrange(command: WindowCommand): Promise<Result<void>> {
    await super.arrange(command);
    return this.desk.countsRaising ? this.note() : succeed(undefined);
  }

  override async doToProgram(_command: ProgramCommand): Promise<Result<string>> {
    await this.note();
    return succeed("");
  }

  override async writeClipboard(): Promise<Result<string>> {
    await this.note();
    return succeed("");
  }

  private async note(): Promise<Result<void>> {
    this.desk.delivered += 1;
    return succeed(undefined);
  }
}

/** Without the log, which the rules do not depend on and which would take half of the time. */
class UnloggedRecords extends FileRecords {
  private lines = 0;

  override write(): Result<number> {
    this.lines += 1;
    return succeed(this.lines);
  }
}

interface OpenGuard {
  readonly guard: Guard;
  /** As before every call of a turn. */
  refresh(): Promise<unknown>;
}

/** The guard as a session assembles it, with its files, over a desktop in memory. */
export class RuleDesk {
  readonly fake = new FakeDesktop({ applications: apps.map(sketch) });
  /** Parts of actions that reached the desktop. */
  delivered = 0;
  halfway: (() => void) | undefined;
  /** False while the guard itself brings a window back after an answer. */
  countsRaising = true;
  approver: Approver | undefined;
  private readonly places;
  private readonly elements = new Map<App, readonly Element[]>();
  private readonly windows = new Map<App, Window>();
  private writes = 0;

  private constructor(
    private readonly env: { readonly HOME: string },
    private readonly processes: readonly ProcessIdentity[],
  ) {
    this.places = findPlaces(env);
    makeStateFolder(this.places);
    this.fake.secrets.set(secretName, "1234");
  }

  /** In an empty home. */
  static async open(home: string, processes: readonly ProcessIdentity[]): Promise<RuleDesk> {
    const desk = new RuleDesk({ HOME: home }, processes);
    const platform = desk.fake.open();
    const list = await platform.listWindows();
    const windows = list.ok ? list.value.windows : [];
    const read = await platform.readWindows({ windows, includeHidden: true, timeoutMs: 1000 });
    for (const { window, root } of read.ok ? read.value : []) {
      const app = apps.find((one) => one === window.app);
      if (app === undefined || root === undefined) throw new Error(`${window.app} cannot be read`);
      desk.elements.set(app, flatten([root]));
      desk.windows.set(app, window);
    }
    return desk;
  }

  setPolicy(policy: ModelPolicy | undefined): void {
    const { policy: path } = this.places;
    if (policy === undefined) return rmSync(path, { force: true });
    // Of another length each time: files that are written within a tick of the clock are told apart by that.
    this.writes += 1;
    const text = JSON.stringify({ ...policy, hotkey: false }) + " ".repeat(this.writes % 1000);
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  }

  stop(): void {
    replaceFile(this.places.stopped, JSON.stringify({ atMs: Date.now(), by: "a person" }));
  }

  resume(): void {
    rmSync(this.places.stopped, { force: true });
  }

  allow({ app, client, isNameOnly, isSensitive, untilMs }: ModelGrant): void {
    const process = client && this.processes[client.process];
    const named = client && { client: client.name, process, ...(isNameOnly === true ? { isNameOnly } : {}) };
    const given = giveGrant(new UnloggedRecords(this.places), { app, ...named, isSensitive, untilMs });
    if (!given.ok) throw new Error(given.failure.message);
  }

  endGrants(): void {
    const ended = endGrants(new UnloggedRecords(this.places), Date.now());
    if (!ended.ok) throw new Error(ended.failure.message);
  }

  focus(app: App): void {
    const application = this.fake.applications.find(({ name }) => name === app);
    const [window] = application?.windows ?? [];
    if (application !== undefined && window !== undefined) this.fake.bringToFront(application, window);
  }

  get focused(): App {
    return this.order[0] ?? "pad";
  }

  /** The application whose window is in front where another's is. */
  at(app: App): App {
    return this.order.find((one) => left.includes(one) === left.includes(app)) ?? app;
  }

  private get order(): readonly App[] {
    return this.fake.applications.flatMap(({ name }) => apps.find((one) => one === name) ?? []);
  }

  windowOf(app: App): Window {
    const window = this.windows.get(app);
    if (window === undefined) throw new Error(`${app} has no window`);
    return window;
  }

  find(app: App, name: string): SingleElement {
    const found = this.elements.get(app)?.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${app} has no ${name}`);
    return found;
  }

  /** As for every call: a guard of its own, with the policy as it is now. */
  async openGuard({ name, process }: ModelClient): Promise<OpenGuard> {
    const client: Client = { name, process: this.processes[process] };
    const records = new UnloggedRecords(this.places, undefined, client);
    const rules = new LivePolicy(this.env, this.places, client, true);
    const policy: Result<Policy> = await rules.refresh();
    if (!policy.ok) throw new Error(policy.failure.message);
    const hands = new CountingHands(this);
    const ask: Approver["ask"] = (...question) => (this.approver ?? nobody).ask(...question);
    const guard = new Guard(
      {
        platform: this.fake.open(),
        policy: policy.value,
        records,
        approver: { ask },
        client,
        openHands: () => Promise.resolve(succeed(hands)),
        refreshPolicy: () => rules.refresh(),
      },
      new StoppableTurns(new FileTurns(this.places), records, {
        prepare: () => Promise.resolve(succeed(undefined)),
        onStop: () => undefined,
      }),
    );
    return { guard, refresh: () => rules.refresh() };
  }
}

function sketch(name: App) {
  const bounds = { x: left.includes(name) ? 0 : 640, y: 0, width: 640, height: 800 };
  const buttons = labels.map((label) => ({ role: "button" as const, name: label, actions: ["press" as const] }));
  const fields = [
    { role: "input" as const, name: textField },
    { role: "input" as const, name: secretField, secret: true },
  ];
  return { name, windows: [{ title: name, bounds, children: [...buttons, ...fields] }] };
}
