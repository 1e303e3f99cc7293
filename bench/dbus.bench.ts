import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connectAccessibility, listBusApplications } from "../src/platform/linux/atspi/access.ts";
import { Bus, shape } from "../src/platform/linux/dbus/bus.ts";
import { apps } from "./lab/apps.ts";
import { isQuick } from "./lab/options.ts";
import { installPeers, peers, peersFolder } from "./lab/peers.ts";
import { publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const rounds = isQuick ? 1 : 5;
const repeats = 10;
const own = fileURLToPath(new URL("./contestants/dbus-own.ts", import.meta.url));
const others = fileURLToPath(new URL("./contestants/dbus-libraries.mjs", import.meta.url));

interface Run {
  readonly ms: number;
  readonly items: number;
  readonly extents: number;
}

interface Place {
  readonly env: Record<string, string>;
  readonly address: string;
  readonly busName: string;
}

type Command = (place: Place) => readonly [string, ...string[]];
const through =
  (runtime: string, library: string): Command =>
  ({ address, busName }) => [runtime, others, library, peersFolder, address, busName, String(repeats)];

const commands = new Map<string, Command>([
  ["own codec, Bun", ({ address, busName }) => [process.execPath, own, address, busName, String(repeats)]],
  ["dbus-next, Bun", through(process.execPath, "dbus-next")],
  ["dbus-next, Node", through("node", "dbus-next")],
  ["dbus-native, Bun", through(process.execPath, "dbus-native")],
  ["dbus-native, Node", through("node", "dbus-native")],
]);

/** What each library is given: the address of the accessibility bus, and the application's name on it. */
async function findPlace({ env, subject }: Testbed, accessibility: Bus): Promise<Place> {
  const session = await Bus.connect(env.DBUS_SESSION_BUS_ADDRESS ?? "", 10_000);
  const where = { destination: "org.a11y.Bus", path: "/org/a11y/bus", interface: "org.a11y.Bus" };
  const address = await session.call({ ...where, member: "GetAddress" }, shape<string>("s"));
  session.close();
  const found = (await listBusApplications(accessibility, 10_000)).find(({ pid }) => pid === subject.pid);
  if (found === undefined) throw new Error("mousepad is not on the accessibility bus");
  return { env, address, busName: found.busName };
}

function measure(name: string, place: Place): Run[] {
  const [program = "", ...args] = commands.get(name)?.(place) ?? [];
  const { status, stdout, stderr } = spawnSync(program, args, { env: place.env, encoding: "utf8", timeout: 120_000 });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(-1000)}`);
  return JSON.parse(stdout);
}

await installPeers();
const runs = new Map([...commands.keys()].map((name): [string, Run[][]] => [name, []]));
const failures: string[] = [];
for (let round = 1; round <= rounds; round += 1) {
  for (const name of commands.keys()) {
    const testbed = await openTestbed(apps.mousepad);
    // GTK 3 has a cache only while some client is registered for an event; connecting our way registers one.
    const accessibility = await connectAccessibility(testbed.env, 10_000);
    try {
      const measured = measure(name, await findPlace(testbed, accessibility));
      runs.get(name)?.push(measured);
      console.log(
        `  ${round}/${rounds}  ${name}: ${showMs(measured[0]?.ms ?? 0)} ms, then ${showMs(medianOf(measured.slice(1)))} ms`,
      );
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      accessibility.close();
      await testbed.close();
    }
  }
}

function medianOf(list: readonly Run[]): number {
  return spreadOf(list.map(({ ms }) => ms)).median;
}

const spreads = [...runs].map(([name, trials]) => ({
  name,
  first: spreadOf(trials.map(([run]) => run?.ms ?? Number.NaN)),
  later: spreadOf(trials.flatMap((trial) => trial.slice(1).map(({ ms }) => ms))),
  seen: trials[0]?.[0],
}));
const [base] = spreads;
publish("D-Bus libraries", [
  `The same work through each: \`Cache.GetItems\` of a mousepad, then \`GetExtents\` of every item, all sent before the first is answered. ` +
    `"first" is the first time in a new process, connection open; "later" are the ${repeats - 1} times after it, when the code is compiled. ` +
    `dbus-next ${peers["dbus-next"]}, @homebridge/dbus-native ${peers["@homebridge/dbus-native"]}; each trial with a process and a mousepad of its own.`,
  formatTable({
    head: ["library, runtime", "first ms", "min–max", "ratio", "later ms", "min–max", "ratio", "items", "extents"],
    rows: spreads.map(({ name, first, later, seen }) => [
      name,
      showMs(first.median),
      showRange(first),
      showRatio(first.median / (base?.first.median ?? 1)),
      showMs(later.median),
      showRange(later),
      showRatio(later.median / (base?.later.median ?? 1)),
      String(seen?.items ?? 0),
      String(seen?.extents ?? 0),
    ]),
  }),
  ...(failures.length === 0 ? [] : [`Failed: ${failures.join("; ")}`]),
]);
