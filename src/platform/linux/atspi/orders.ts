import { type Bus, type Shape, shape } from "../dbus/bus.ts";
import { ConnectionLost, DeadlinePassed } from "../dbus/errors.ts";
import type { Value } from "../dbus/reader.ts";

/** AT-SPI calls that change something; each returns whether the application agreed. */
const atspi = "org.a11y.atspi.";
const agreed = shape<boolean>("b");
const nothing = shape<undefined>("");
/** ATSPI_SCROLL_ANYWHERE: the smallest scroll that brings it into view. */
const scrollAnywhere = 6;

/** silence: sent, but no answer in time; lost: the bus connection broke. */
export type Answer = "yes" | "no" | "silence" | "lost";

export interface Order {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly args?: readonly Value[];
  readonly expected: Shape<boolean> | Shape<undefined>;
}

export const orders = {
  doAction: (path: string, index: number): Order => ({
    path,
    interface: `${atspi}Action`,
    member: "DoAction",
    signature: "i",
    args: [index],
    expected: agreed,
  }),
  setText: (path: string, text: string): Order => ({
    path,
    interface: `${atspi}EditableText`,
    member: "SetTextContents",
    signature: "s",
    args: [text],
    expected: agreed,
  }),
  setNumber: (path: string, value: number): Order => ({
    path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Set",
    signature: "ssv",
    args: [`${atspi}Value`, "CurrentValue", { signature: "d", value }],
    expected: nothing,
  }),
  selectChild: (path: string, index: number): Order => ({
    path,
    interface: `${atspi}Selection`,
    member: "SelectChild",
    signature: "i",
    args: [index],
    expected: agreed,
  }),
  deselectChild: (path: string, index: number): Order => ({
    path,
    interface: `${atspi}Selection`,
    member: "DeselectChild",
    signature: "i",
    args: [index],
    expected: agreed,
  }),
  deselectSelectedChild: (path: string, index: number): Order => ({
    path,
    interface: `${atspi}Selection`,
    member: "DeselectSelectedChild",
    signature: "i",
    args: [index],
    expected: agreed,
  }),
  grabFocus: (path: string): Order => ({ path, interface: `${atspi}Component`, member: "GrabFocus", expected: agreed }),
  scrollTo: (path: string): Order => ({
    path,
    interface: `${atspi}Component`,
    member: "ScrollTo",
    signature: "u",
    args: [scrollAnywhere],
    expected: agreed,
  }),
};

/** Sends a call and waits for the answer. Error replies are thrown. */
export async function giveOrder(bus: Bus, name: string, order: Order, waitMs: number): Promise<Answer> {
  const { expected, ...call } = order;
  const { serial, reply } = bus.send<boolean | undefined>({ ...call, destination: name, isPrivate: true }, expected);
  const timer = setTimeout(() => bus.forget(serial, new DeadlinePassed(`no answer within ${waitMs} ms`)), waitMs);
  try {
    return (await reply) === false ? "no" : "yes";
  } catch (error) {
    if (error instanceof DeadlinePassed) return "silence";
    // After a lost connection the caller must not repeat the action.
    if (error instanceof ConnectionLost) return "lost";
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
