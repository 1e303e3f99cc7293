import { type Failure, fail, makeFailure, type Result } from "../model/failure.ts";
import type { ElementActor, ElementSource } from "../sources/port.ts";
import type { ClipboardActor, Hands, InputActor, ProgramActor, SecretActor, WindowActor } from "./hands.ts";
import type { Capability, CapturePort, InputPort, PersonPort, Platform, ProgramPort, WindowPort } from "./port.ts";

const texts: Readonly<Record<Capability, readonly [message: string, suggestion: string]>> = {
  windows: ["windows cannot be listed or arranged", "deskmap doctor shows what works here."],
  elements: ["what is in windows cannot be read", "deskmap screenshot shows it as a picture."],
  capture: ["no pictures can be taken", "deskmap read shows a window as text."],
  input: [
    "pointer and keys cannot be used",
    "act on an element by its mark: deskmap click --id MARK, deskmap set-value VALUE --id MARK.",
  ],
  clipboard: ["the clipboard cannot be used", "deskmap type types a text."],
  programs: ["programs cannot be started or ended", "start or end it by hand; deskmap list shows its windows."],
  person: [
    "nothing can be drawn over the screen, and a person's input cannot be observed",
    "deskmap screenshot --marks shows marks in a picture.",
  ],
};

/** Stands for a port that a platform lacks. */
export class Lack {
  readonly failure: Failure;

  constructor(
    readonly capability: Capability,
    platform: string,
    [message, suggestion] = texts[capability],
  ) {
    this.failure = makeFailure("UNAVAILABLE", `${message} on ${platform}`, suggestion);
  }

  /** A substitute for every method of every port. */
  readonly refuse = async (): Promise<Result<never>> => fail(this.failure);
}

/** The ports of a platform, or why they are missing. */
export interface PlatformPorts extends Pick<Platform, "name" | "prepareRead" | "close"> {
  readonly windows: WindowPort | Lack;
  readonly elements: ElementSource | Lack;
  readonly capture: CapturePort | Lack;
  readonly input: InputPort | Lack;
  readonly programs: ProgramPort | Lack;
}

/** The same for what acts. */
export interface HandPorts extends Pick<Hands, "close"> {
  readonly windows: WindowActor | Lack;
  readonly elements: (ElementActor & SecretActor) | Lack;
  readonly input: InputActor | Lack;
  readonly clipboard: ClipboardActor | Lack;
  readonly programs: ProgramActor | Lack;
}

/** The methods of each port, all of them. */
type Methods<Ports> = {
  readonly [Name in keyof Ports & Capability]: Readonly<Record<keyof Exclude<Ports[Name], Lack>, true>>;
};

const platformMethods: Methods<PlatformPorts> = {
  windows: { listWindows: true, listSurfaces: true, findWindowAt: true, listPopups: true, findPointer: true },
  elements: {
    covers: true,
    readWindows: true,
    readText: true,
    glimpse: true,
    askWhatIsAt: true,
    watch: true,
  },
  capture: { captureScreen: true, captureWindow: true },
  input: { findPressPause: true },
  programs: { findOpener: true, isRunning: true, findEnd: true, belongsTo: true },
};

const handMethods: Methods<HandPorts> = {
  windows: { arrange: true },
  elements: { doToElement: true, checkSecret: true, fillSecret: true },
  input: { input: true },
  clipboard: { readClipboard: true, findClipboardOwner: true, writeClipboard: true },
  programs: { doToProgram: true },
};

/** Combines ports into a platform. Methods of a missing port fail and say what is missing. */
export function assemblePlatform(ports: PlatformPorts): Platform {
  const { name, prepareRead, close } = ports;
  const missing = Object.values(ports).filter((port) => port instanceof Lack);
  const lacks = new Map(missing.map(({ capability, failure }) => [capability, failure]));
  return join({ name, lacks, prepareRead, close }, ports, platformMethods);
}

export function assembleHands(ports: HandPorts): Hands {
  return join({ close: ports.close }, ports, handMethods);
}

export function withElements(platform: Platform, elements: ElementSource): Platform {
  return replaceMethods(platform, join({}, { elements }, { elements: platformMethods.elements }));
}

export function withElementActor(hands: Hands, { doToElement }: ElementActor): Hands {
  return replaceMethods(hands, { doToElement });
}

/** The same object with some methods replaced. Its other methods do not see the replacements. */
export function replaceMethods<Whole extends object, Own extends object>(whole: Whole, own: Own): Whole & Own {
  const bound = new Proxy(whole, {
    get(target, name) {
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return Object.assign(Object.create(bound), own);
}

function join<Ports extends object>(common: object, ports: Ports, methods: Methods<Ports>) {
  const whole = Object.create(null);
  for (const [name, port] of Object.entries(ports)) {
    for (const method of Object.keys(Reflect.get(methods, name) ?? {})) {
      whole[method] = port instanceof Lack ? port.refuse : Reflect.get(port, method).bind(port);
    }
  }
  return Object.assign(whole, common);
}

/** For a live platform without a person's own input. */
export function refusePerson(lack: Lack): PersonPort {
  return { openDrawingSurface: lack.refuse, listenForKeys: lack.refuse, listenToPerson: lack.refuse };
}
