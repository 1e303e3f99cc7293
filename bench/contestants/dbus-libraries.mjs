// The same D-Bus work through other libraries: dbus-libraries.mjs LIBRARY PEERS_FOLDER BUS_ADDRESS APPLICATION REPEATS.
// Runs under Node and under Bun. See dbus.bench.ts for what is measured.
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , library, peersFolder, address, application, repeats] = process.argv;
const load = createRequire(join(peersFolder, "package.json"));
const items = { path: "/org/a11y/atspi/cache", interface: "org.a11y.atspi.Cache", member: "GetItems" };
const extents = { interface: "org.a11y.atspi.Component", member: "GetExtents", signature: "u", body: [0] };

const openers = {
  "dbus-next": async () => {
    const dbus = load("dbus-next");
    const bus = dbus.sessionBus({ busAddress: address });
    await new Promise((resolve, reject) => {
      bus.once("connect", resolve);
      bus.once("error", reject);
    });
    return async (call) => (await bus.call(new dbus.Message({ destination: application, ...call }))).body[0];
  },
  "dbus-native": async () => {
    const dbus = load("@homebridge/dbus-native");
    const bus = dbus.createClient({ busAddress: address });
    await new Promise((resolve, reject) => {
      bus.connection.once("connect", resolve);
      bus.connection.once("error", reject);
    });
    return (call) =>
      new Promise((resolve, reject) => {
        bus.invoke({ destination: application, ...call }, (error, value) =>
          error ? reject(new Error(String(error))) : resolve(value),
        );
      });
  },
};

const invoke = await openers[library]();
const runs = [];
for (let run = 0; run < Number(repeats); run += 1) {
  const started = performance.now();
  const cached = await invoke(items);
  const replies = await Promise.allSettled(cached.map(([[, path]]) => invoke({ ...extents, path })));
  const ms = performance.now() - started;
  runs.push({ ms, items: cached.length, extents: replies.filter(({ status }) => status === "fulfilled").length });
}
console.log(JSON.stringify(runs));
process.exit(0);
