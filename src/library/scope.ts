import { setTimeout as pause } from "node:timers/promises";
import type { ChangeLine } from "../model/change-line.ts";
import type { EffectData } from "../show/effect.ts";
import type { ViewData } from "../show/view.ts";
import { type ActOptions, type Caller, dropUndefined, type Selection } from "./caller.ts";
import { DeskmapError } from "./error.ts";
import { type Aim, choiceRoles, Locator } from "./locator.ts";
import { toWindows, type WindowContent } from "./results.ts";

export interface ReadOptions {
  /** Only these roles. */
  readonly roles?: readonly string[] | undefined;
  /** Only controls that can be acted on. */
  readonly interactive?: boolean | undefined;
  /** Also hidden controls. */
  readonly all?: boolean | undefined;
  /** The most controls of each window. */
  readonly max?: number | undefined;
}

export interface WatchOptions {
  readonly roles?: readonly string[] | undefined;
  /** Ends the watch; so does leaving the loop. */
  readonly signal?: AbortSignal | undefined;
  /** The token of an earlier batch: changes since then come first. */
  readonly since?: string | undefined;
}

/** What controls are looked for in: windows, or a container in them. */
export class Area {
  readonly button = this.byName("button,toggle");
  readonly input = this.byName("input");
  readonly checkbox = this.byName("checkbox,switch");
  readonly radio = this.byName("radio");
  readonly link = this.byName("link");
  readonly menuItem = this.byName("menuitem,menu");
  readonly tab = this.byName("tab");
  /** A combo box or another list to choose from. */
  readonly choice = this.byName("select");
  /** An entry of an open list. A closed one is set with `choice(…).fill(…)`. */
  readonly option = this.byName([...choiceRoles].join());
  readonly slider = this.byName("slider");

  constructor(
    protected readonly caller: Caller,
    protected readonly selection: Selection,
    private readonly container?: Locator,
  ) {}

  /** A control by words, as `deskmap find` takes them: a name, a part of it, a shortcut, a name and what stands beside it. */
  control(words: string, role?: string): Locator {
    return this.locate({ words, role });
  }

  /** The only control of a role; several are refused. */
  only(role: string): Locator {
    return this.locate({ only: role });
  }

  /** What is inside a control: a group, a dialog, a table row. */
  within(container: Locator): Area {
    return new Area(this.caller, this.selection, container);
  }

  /** The page of a browser, without the browser's own controls. */
  page(): Area {
    return this.within(this.only("web").nth(0));
  }

  protected locate(aim: Aim): Locator {
    return new Locator(this.caller, this.selection, aim, { container: this.container });
  }

  private byName(role: string): (name: string) => Locator {
    return (name) => this.control(name, role);
  }
}

/** Some windows, or all of them. */
export class Scope extends Area {
  /** A control by its mark. */
  mark(id: number): Locator {
    return this.locate({ id });
  }

  /** What is at a point of the screen, in physical pixels. */
  at(x: number, y: number): Locator {
    return this.locate({ at: { x, y } });
  }

  /** The windows as text: one line per control, with its mark. */
  read(options: ReadOptions = {}): Promise<string> {
    return this.caller.askForText("read", this.toInput(options));
  }

  /** The same as data. */
  async controls(options: ReadOptions = {}): Promise<readonly WindowContent[]> {
    return toWindows(await this.caller.ask<ViewData>("read", this.toInput(options)));
  }

  /** Types text into whatever has the keyboard. */
  type(text: string, options: ActOptions = {}): Promise<EffectData> {
    return this.caller.act("type", { text }, this.selection, options);
  }

  /** Presses a key combination: "ctrl+s", "alt+f4". */
  press(key: string, options: ActOptions = {}): Promise<EffectData> {
    return this.caller.act("type", { key }, this.selection, options);
  }

  /** Waits for a condition in plain words: 'window "Save As" opens', "screen still", 'button "OK" becomes enabled'. */
  async waitFor(condition: string, timeoutMs: number = this.caller.defaultTimeoutMs): Promise<void> {
    await this.caller.ask("wait", { ...this.selection, for: condition, timeout: timeoutMs });
  }

  /** Yields every change. The first batch lists what is there, unless `since` is given. */
  async *watch({ roles, signal, since }: WatchOptions = {}): AsyncGenerator<ChangeLine, void, undefined> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal?.addEventListener("abort", stop);
    const input = dropUndefined({ ...this.toInput({ roles }), since });
    try {
      for await (const batch of this.caller.host.watch({ input }, end.signal)) {
        if (!batch.ok) throw new DeskmapError(batch.failure);
        yield* batch.value;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      end.abort();
      // Takes what was already sent before the caller goes on.
      await pause(0);
    }
  }

  private toInput({ roles, ...rest }: ReadOptions): Readonly<Record<string, unknown>> {
    return dropUndefined({ ...this.selection, ...rest, roles: roles?.join(",") });
  }
}
