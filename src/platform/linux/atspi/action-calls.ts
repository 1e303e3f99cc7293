import { type Bus, ConnectionLost, DeadlinePassed, type Shape, shape } from "../dbus/bus.ts";
import type { Value } from "../dbus/reader.ts";

/** AT-SPI calls that change something; each returns whether the application agreed. */
const atspi = "org.a11y.atspi.";
const agreed = shape<boolean>("b");
const nothing = shape<undefined>("");
/** ATSPI_SCROLL_ANYWHERE: the smallest scroll that brings it into view. */
const scrollAnywhere = 6;

/** silence: sent, but no answer in time; lost: the bus connection broke. */
export type CallReply = "yes" | "no" | "silence" | "lost";

export interface ActionCall {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly args?: readonly Value[];
  readonly expected: Shape<boolean> | Shape<undefined>;
}

export const actionCalls = {
  doAction: (path: string, index: number) => call(path, "Action", "DoAction", "i", [index]),
  setText: (path: string, text: string) => call(path, "EditableText", "SetTextContents", "s", [text]),
  selectChild: (path: string, index: number) => call(path, "Selection", "SelectChild", "i", [index]),
  deselectChild: (path: string, index: number) => call(path, "Selection", "DeselectChild", "i", [index]),
  deselectSelectedChild: (path: string, index: number) =>
    call(path, "Selection", "DeselectSelectedChild", "i", [index]),
  grabFocus: (path: string) => call(path, "Component", "GrabFocus"),
  scrollTo: (path: string) => call(path, "Component", "ScrollTo", "u", [scrollAnywhere]),
  setNumber: (path: string, value: number): ActionCall => ({
    path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Set",
    signature: "ssv",
    args: [`${atspi}Value`, "CurrentValue", { signature: "d", value }],
    expected: nothing,
  }),
};

function call(
  path: string,
  interfaceName: string,
  member: string,
  signature = "",
  args: readonly Value[] = [],
): ActionCall {
  return { path, interface: atspi + interfaceName, member, signature, args, expected: agreed };
}

/** Sends a call and waits for the answer. Error replies are thrown. */
export async function sendCall(
  bus: Bus,
  destination: string,
  { expected, ...call }: ActionCall,
  waitMs: number,
): Promise<CallReply> {
  try {
    const whole = { ...call, destination, isPrivate: true };
    return (await bus.callWithin<boolean | undefined>(whole, expected, waitMs)) === false ? "no" : "yes";
  } catch (error) {
    if (error instanceof DeadlinePassed) return "silence";
    // After a lost connection the caller must not repeat the action.
    if (error instanceof ConnectionLost) return "lost";
    throw error;
  }
}
