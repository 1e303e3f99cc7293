import type { CommandGroup } from "../define.ts";

const notes = `Reading changes nothing: list, show, stats, export. What is forgotten or pruned is really gone: the file is rewritten, and
its numbers are never given out again. Nothing is pruned by itself.`;

export const map: CommandGroup = {
  name: "map",
  summary: "See and look after what is remembered: list, show, stats, forget, export, import, prune, rescue.",
  description:
    "What Deskmap remembers of the controls it has met, in one file of yours that never leaves this machine.",
  notes,
  examples: [
    "deskmap map list --app firefox --role button",
    "deskmap map show 42",
    "deskmap map stats",
    "deskmap map forget --app thunderbird",
    "deskmap map export my-map.jsonl",
    "deskmap map import my-map.jsonl",
    "deskmap map prune --days 90",
  ],
  commands: [
    { name: "list", load: async () => (await import("./list.ts")).list },
    { name: "show", load: async () => (await import("./show.ts")).show },
    { name: "stats", load: async () => (await import("./stats.ts")).stats },
    { name: "forget", load: async () => (await import("./forget.ts")).forgetInMap },
    { name: "prune", load: async () => (await import("./forget.ts")).prune },
    { name: "export", load: async () => (await import("./exchange.ts")).exportToFile },
    { name: "import", load: async () => (await import("./exchange.ts")).importFromFile },
    { name: "rescue", load: async () => (await import("./rescue.ts")).rescue },
  ],
};
