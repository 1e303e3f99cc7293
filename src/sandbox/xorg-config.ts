import { type MonitorPlan, measureScreen } from "./monitors.ts";

const BYTES_PER_PIXEL = 4;
// The dummy driver's range of pixel clocks.
const SLOWEST_CLOCK_MHZ = 12;
const FASTEST_CLOCK_MHZ = 300;
const REFRESH_HZ = 60;

/**
 * The configuration of an Xorg server that draws into memory and uses nothing of the machine. Xorg reads the whole
 * layout from it, so the monitors exist before the first client connects.
 */
export function writeXorgConfig(plans: readonly MonitorPlan[]): string {
  const { width, height } = measureScreen(plans);
  return [
    section("ServerFlags", [
      // No keyboard, mouse or graphics card of the machine, now or hot-plugged.
      ...["AutoAddDevices", "AutoEnableDevices", "AutoAddGPU", "AutoBindGPU"].map((name) => option(name, "false")),
      ...["DontVTSwitch", "DontZap"].map((name) => option(name, "true")),
    ]),
    // Without configured input devices the server looks for the machine's. These two use a driver that does nothing and
    // no device file; input comes only through XTEST.
    section("InputDevice", ['Identifier "no pointer"', 'Driver "void"']),
    section("InputDevice", ['Identifier "no keyboard"', 'Driver "void"']),
    ...plans.map((plan, index) =>
      section("Monitor", [
        `Identifier "${nameMonitor(index)}"`,
        "HorizSync 0.01-100000",
        "VertRefresh 0.01-100000",
        `Modeline "${nameMode(plan)}" ${describeTiming(plan)}`,
        option("Enable", "true"),
        option("PreferredMode", nameMode(plan)),
        option("Position", `${plan.x} ${plan.y}`),
        option("Primary", String(plan.isPrimary)),
      ]),
    ),
    section("Device", [
      'Identifier "memory"',
      'Driver "dummy"',
      `VideoRam ${Math.ceil((width * height * BYTES_PER_PIXEL) / 1024) + 1024}`,
      ...plans.map((_plan, index) => option(`Monitor-DUMMY${index}`, nameMonitor(index))),
    ]),
    section("Screen", [
      'Identifier "screen"',
      'Device "memory"',
      "DefaultDepth 24",
      `SubSection "Display"\n  Depth 24\n  Virtual ${width} ${height}\nEndSubSection`,
    ]),
    section("ServerLayout", [
      'Identifier "layout"',
      'Screen "screen"',
      'InputDevice "no pointer" "CorePointer"',
      'InputDevice "no keyboard" "CoreKeyboard"',
    ]),
  ].join("\n");
}

function section(name: string, lines: readonly string[]): string {
  return [`Section "${name}"`, ...lines, "EndSection"].join("\n");
}

function option(name: string, value: string): string {
  return `Option "${name}" "${value}"`;
}

function nameMonitor(index: number): string {
  return `monitor ${index}`;
}

function nameMode({ width, height }: MonitorPlan): string {
  return `${width}x${height}`;
}

/** The signals go nowhere; the numbers only have to be increasing. */
function describeTiming({ width, height }: MonitorPlan): string {
  const clockMhz = ((width + 3) * (height + 3) * REFRESH_HZ) / 1e6;
  const clock = Math.min(FASTEST_CLOCK_MHZ, Math.max(SLOWEST_CLOCK_MHZ, clockMhz)).toFixed(3);
  const count = (side: number): string => [side, side + 1, side + 2, side + 3].join(" ");
  return `${clock} ${count(width)} ${count(height)}`;
}
