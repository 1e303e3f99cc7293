import { findTrace } from "../../../model/trace.ts";
import { readText } from "../read-file.ts";
import type { Call } from "./message.ts";

const properties = "org.freedesktop.DBus.Properties";

/** Begins the span of a call: the application, the method and the object, never its arguments. */
export function traceCall(call: Call, pids: ReadonlyMap<string, number>): ((isFailed: boolean) => void) | undefined {
  const trace = findTrace();
  if (trace === undefined) return undefined;
  return trace.begin("dbus", nameMethod(call), `${nameReceiver(call.destination ?? "", pids)} ${call.path}`);
}

/** A property's name belongs to the interface; all other arguments may be private text. */
function nameMethod({ interface: name = "", member, args = [] }: Call): string {
  const [of, property] = args;
  if (name !== properties || typeof of !== "string") return `${lastPart(name)}.${member}`;
  return `${lastPart(of)}.${member}${typeof property === "string" ? ` ${property}` : ""}`;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function nameReceiver(destination: string, pids: ReadonlyMap<string, number>): string {
  const pid = pids.get(destination);
  // Empty if the process has ended.
  const program = pid === undefined ? "" : readText(`/proc/${pid}/comm`).trim();
  return program === "" ? destination : `${program} (${destination})`;
}
