// The same D-Bus work through Deskmap's own codec: dbus-own.ts BUS_ADDRESS APPLICATION REPEATS. See dbus.bench.ts.
import type { CacheItem, Extents } from "../../src/platform/linux/atspi/peer.ts";
import { Bus, shape } from "../../src/platform/linux/dbus/bus.ts";

const [, , address = "", destination = "", repeats = "1"] = process.argv;
const itemsShape = shape<readonly CacheItem[]>("a((so)(so)(so)iiassusau)");
const extentsShape = shape<Extents>("(iiii)");
const items = { destination, path: "/org/a11y/atspi/cache", interface: "org.a11y.atspi.Cache", member: "GetItems" };
const extents = { destination, interface: "org.a11y.atspi.Component", member: "GetExtents", signature: "u", args: [0] };

const bus = await Bus.connect(address, 10_000);
const runs: { ms: number; items: number; extents: number }[] = [];
for (let run = 0; run < Number(repeats); run += 1) {
  const started = performance.now();
  const cached = await bus.call(items, itemsShape);
  const replies = await Promise.allSettled(cached.map(([[, path]]) => bus.call({ ...extents, path }, extentsShape)));
  const ms = performance.now() - started;
  runs.push({ ms, items: cached.length, extents: replies.filter(({ status }) => status === "fulfilled").length });
}
console.log(JSON.stringify(runs));
bus.close();
