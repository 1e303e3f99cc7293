import type { Check } from "../../../model/check.ts";
import type { DiagnoseOptions } from "../../port.ts";
import { examineApplications } from "./applications.ts";
import { examineBuses } from "./buses.ts";
import { examineDisplay } from "./display.ts";

/** Distinguishes a hung application from one that answers. */
const maxPatienceMs = 2000;

/** Checks what works on this desktop; never throws. */
export async function examineLinux({ env, timeoutMs, fix, isShown }: DiagnoseOptions): Promise<readonly Check[]> {
  const [display, buses] = await Promise.all([examineDisplay(env, timeoutMs), examineBuses(env, timeoutMs, fix)]);
  const checks = [...display.checks, ...buses.checks];
  if (buses.bus === undefined) return checks;
  try {
    const patienceMs = Math.min(timeoutMs, maxPatienceMs);
    return [...checks, ...(await examineApplications(buses.bus, display.windows.filter(isShown), patienceMs))];
  } finally {
    buses.bus.close();
  }
}
