import type { CommandGroup } from "../define.ts";

export const demo: CommandGroup = {
  name: "demo",
  summary:
    "Look after demos: save, list, show, edit, lint, diff, heal, expect, annotate, rename, delete, export, import.",
  description: "A demo is recorded work in one readable file: what was done to which control, and what was seen.",
  notes: "A demo is named, or given as the path of a file. docs/demos.md describes the format.",
  examples: [
    "deskmap demo save invoice --last 5m",
    "deskmap demo show invoice",
    "deskmap demo lint invoice",
    "deskmap demo export invoice --format skill",
  ],
  commands: [
    { name: "save", load: async () => (await import("./save.ts")).save },
    { name: "list", load: async () => (await import("./look.ts")).list },
    { name: "show", load: async () => (await import("./look.ts")).show },
    { name: "lint", load: async () => (await import("./look.ts")).lint },
    { name: "diff", load: async () => (await import("./look.ts")).diff },
    { name: "edit", load: async () => (await import("./edit.ts")).edit },
    { name: "heal", load: async () => (await import("./heal.ts")).heal },
    { name: "expect", load: async () => (await import("./expect.ts")).expectTree },
    { name: "annotate", load: async () => (await import("./annotate.ts")).annotate },
    { name: "rename", load: async () => (await import("./manage.ts")).rename },
    { name: "delete", load: async () => (await import("./manage.ts")).remove },
    { name: "export", load: async () => (await import("./manage.ts")).exportOne },
    { name: "import", load: async () => (await import("./manage.ts")).importOne },
  ],
};
