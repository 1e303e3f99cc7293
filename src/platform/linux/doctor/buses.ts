import { broken, type Check, note, off, ok } from "../../../model/check.ts";
import type { Env } from "../../../model/env.ts";
import { askAccessibilityAddress, connectSession, listBusApplications } from "../atspi/access.ts";
import { Bus, ConnectionLost, ErrorReply, shape, unlessRefused } from "../dbus/bus.ts";
import type { Variant } from "../dbus/reader.ts";

export interface BusReport {
  readonly checks: readonly Check[];
  /** The accessibility bus, if it is reachable; the caller closes it. */
  readonly bus: Bus | undefined;
}

const installBus = "sudo apt install at-spi2-core";
export const switchOn = "deskmap doctor --fix";

/** Checks the session bus, the accessibility bus and its registry; `fix` makes applications expose their trees. */
export async function examineBuses(env: Env, timeoutMs: number, fix: boolean): Promise<BusReport> {
  let session: Bus | undefined;
  try {
    session = await connectSession(env, timeoutMs);
    const sessionCheck = ok("session bus", "answers");
    return await examineAccessibility(session, env, timeoutMs, fix, sessionCheck);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    const remedy = "dbus-run-session -- $SHELL, then start your applications from there";
    return { checks: [broken("session bus", error.message, remedy)], bus: undefined };
  } finally {
    session?.close();
  }
}

async function examineAccessibility(
  session: Bus,
  env: Env,
  timeoutMs: number,
  fix: boolean,
  sessionCheck: Check,
): Promise<BusReport> {
  let bus: Bus;
  try {
    bus = await Bus.connect(env.AT_SPI_BUS_ADDRESS || (await askAccessibilityAddress(session, timeoutMs)), timeoutMs);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    const lost = broken("accessibility bus", error.message, installBus);
    return { checks: [sessionCheck, lost], bus: undefined };
  }
  // Applications react to changes: if it is already on, switching it off and on reaches those that missed it.
  if (fix && (await readEnabled(session))) await setEnabled(session, false);
  if (fix) await setEnabled(session, true);
  const isEnabled = await readEnabled(session);
  const registry = await examineRegistry(bus, timeoutMs);
  const checks = [sessionCheck, ok("accessibility bus", "answers"), registry, describeSwitch(isEnabled, fix)];
  if (registry.health === "ok") return { bus, checks };
  bus.close();
  return { bus: undefined, checks };
}

async function examineRegistry(bus: Bus, timeoutMs: number): Promise<Check> {
  try {
    const { length } = await listBusApplications(bus, timeoutMs);
    return ok("registry", `knows ${length} ${length === 1 ? "application" : "applications"}`);
  } catch (error) {
    if (!(error instanceof ErrorReply || error instanceof ConnectionLost)) throw error;
    return broken("registry", `does not answer: ${error.message}`, "log out and in again");
  }
}

function describeSwitch(isEnabled: boolean, fix: boolean): Check {
  if (isEnabled) return ok("accessibility", fix ? "is switched on now, until you log out" : "is switched on");
  if (fix) return off("accessibility", "could not be switched on", installBus);
  return note("accessibility", "is not switched on: Firefox and others show no tree until it is", switchOn);
}

const status = { destination: "org.a11y.Bus", path: "/org/a11y/bus", interface: "org.freedesktop.DBus.Properties" };

async function readEnabled(session: Bus): Promise<boolean> {
  const call = { ...status, member: "Get", signature: "ss", args: ["org.a11y.Status", "IsEnabled"] };
  return (await unlessRefused(session.call(call, shape<Variant>("v"))))?.value === true;
}

async function setEnabled(session: Bus, isEnabled: boolean): Promise<void> {
  const value: Variant = { signature: "b", value: isEnabled };
  const call = { ...status, member: "Set", signature: "ssv", args: ["org.a11y.Status", "IsEnabled", value] };
  // The value is read back and reported.
  await unlessRefused(session.call(call, shape<undefined>("")));
}
