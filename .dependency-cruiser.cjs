// Who may import whom. Imports go one way: a folder may import itself and what its line names, nothing else in src.
// A folder that has no line is itself a violation, so a new folder starts with a decision here.
const PORT = "platform/port.ts";
const HANDS = "platform/hands.ts";
const SOURCE = "sources/port.ts";

const MAY_IMPORT = {
  model: [],
  os: ["model"],
  "sources/vision": ["model", SOURCE],
  sources: ["model", "sources/vision", "map/resolve/similarity.ts"],
  "map/store": ["model", "os"],
  map: ["model", "map/store"],
  find: ["model", "map", "picture", PORT, SOURCE],
  show: ["model"],
  marks: ["model"],
  picture: ["model", "marks"],
  changes: ["model"],
  guard: ["model", "os", "find/nearest.ts", PORT, SOURCE, "sources/redact.ts", HANDS],
  act: ["model", "changes", "map/store/port.ts", "find", "guard", PORT, SOURCE],
  desktop: ["model", "map", "find", "act", "guard", "show", "picture", "sources/merge-memory.ts", PORT, SOURCE],
  live: ["model", "changes", "map/store/port.ts", "find", "desktop", PORT],
  overlay: ["model", "marks", "map/store/port.ts", "find", "desktop", "live", PORT],
  listen: ["model", "find", "act/compare.ts", PORT],
  tools: ["model", "marks", "find", "act", "guard", "show", "desktop", "live", "overlay", PORT, SOURCE],
  host: [
    "model",
    "os",
    "map",
    "find",
    "guard",
    "show",
    "picture",
    "sources",
    "desktop",
    "live",
    "overlay",
    "listen",
    "tools",
    "sandbox/inside.ts",
    "sandbox/examine.ts",
    "platform/attentive.ts",
    "platform/lack.ts",
    PORT,
    "platform/pick.ts",
  ],
  sandbox: ["model", "os"],
  inspector: ["model", "show"],
  client: ["model", "os", "guard/places.ts", "host/port.ts"],
  library: ["model", "client", "show", "host/port.ts", "demo"],
  // Recorded demos, and the assistant once it is there, get a host from server/, cli/ or library/, and have no rights of their own.
  demo: ["model", "picture", "host/port.ts"],
  assistant: ["model", "host/port.ts"],
  server: [
    "model",
    "os",
    "marks",
    "inspector",
    "map/resolve",
    "map/keep",
    "find/nearest.ts",
    "guard",
    "show",
    "picture",
    "desktop",
    "live",
    "tools",
    "host",
    "client",
    "sandbox",
    "demo",
  ],
  cli: [
    "model",
    "os",
    "find/nearest.ts",
    "map/resolve",
    "map/keep",
    "guard",
    "show",
    "desktop",
    "sources/vision",
    "tools",
    "host",
    "sandbox",
    "client",
    "server",
    "demo",
    "assistant",
  ],
};

function toPattern(place) {
  return place.endsWith(".ts") ? `^src/${place.replace(".", "\\.")}$` : `^src/${place}/`;
}

function fence(place) {
  const inner = Object.keys(MAY_IMPORT).filter((other) => other.startsWith(`${place}/`));
  return {
    name: `fence-${place}`,
    comment: `src/${place} may import: ${[place, ...MAY_IMPORT[place]].join(", ")}.`,
    severity: "error",
    from: { path: toPattern(place), pathNot: inner.map(toPattern) },
    to: { path: "^src/", pathNot: [place, ...MAY_IMPORT[place]].map(toPattern) },
  };
}

const PLATFORM_FENCES = [
  {
    name: "fence-platform-folder",
    comment: "A platform folder imports the model, os, the port and itself; never another platform, never pick.ts.",
    severity: "error",
    from: { path: "^src/platform/([^/]+)/" },
    to: {
      path: "^src/",
      pathNot: [
        "^src/(model|os)/",
        "^src/platform/(port|hands|lack|module)\\.ts$",
        toPattern(SOURCE),
        "^src/platform/$1/",
      ],
    },
  },
  {
    name: "fence-platform-port",
    comment: "The port is the agreement between all platforms: it knows the model only.",
    severity: "error",
    from: { path: "^src/platform/[^/]+\\.ts$", pathNot: toPattern("platform/pick.ts") },
    to: { path: "^src/", pathNot: ["^src/model/", "^src/platform/[^/]+\\.ts$", toPattern(SOURCE)] },
  },
  {
    name: "fence-pick",
    comment: "pick.ts chooses a platform; it knows the model, the port and the platform folders.",
    severity: "error",
    from: { path: toPattern("platform/pick.ts") },
    to: { path: "^src/", pathNot: ["^src/model/", "^src/platform/"] },
  },
  {
    name: "only-pick-imports-platforms-lazily",
    comment: "Use `await import(…)`: a platform that is not this one must not be loaded.",
    severity: "error",
    from: { path: toPattern("platform/pick.ts") },
    to: { path: "^src/platform/[^/]+/", dependencyTypesNot: ["dynamic-import"] },
  },
];

/** What moves the pointer, presses keys, performs accessible actions and orders windows about. */
const INPUT = [
  "^src/platform/linux/hands\\.ts$",
  "^src/platform/linux/(system|start-process)\\.ts$",
  "^src/platform/linux/atspi/(perform|plan-order|orders)\\.ts$",
  "^src/platform/linux/x11/(input|arrange|arrange-obstacles|clipboard|hold-selection|orders)\\.ts$",
  // What input.ts is made of, and what undoes it after a crash.
  "^src/platform/linux/x11/(xtest|xkb|keyboard|pointer|held|undo|turn|ping|receiver|input-watchdog|release-main)\\.ts$",
];

const HANDS_FENCES = [
  {
    name: "only-the-guard-has-hands",
    comment: "What acts is reached through src/guard alone: act/ decides what to do, the guard does it or refuses.",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/guard/", "^src/platform/"] },
    to: { path: toPattern(HANDS) },
  },
  {
    name: "only-session-opens-hands",
    comment:
      "pick.ts opens platforms and their hands: host/session.ts gives the hands to a guard; nobody else may load pick.ts.",
    severity: "error",
    from: { path: "^src/", pathNot: [toPattern("host/session.ts"), toPattern("host/runtime.ts")] },
    to: { path: toPattern("platform/pick.ts") },
  },
  {
    name: "only-hands-reach-input",
    comment: "There is no second way to the input code: a platform's hands.ts is the door, open.ts opens it.",
    severity: "error",
    from: { path: "^src/", pathNot: [...INPUT, "^src/platform/linux/(open|module)\\.ts$"] },
    to: { path: INPUT },
  },
  {
    name: "only-open-reaches-actors",
    comment: "sources/open.ts hands the actor of a source to compose.ts, which gives it to the guard alone.",
    severity: "error",
    from: { path: "^src/", pathNot: [toPattern("sources/open.ts"), "^src/sources/[^/]+/"] },
    to: { path: "^src/sources/[^/]+/actor\\.ts$" },
  },
];

const HOST_FENCES = [
  {
    name: "only-hosts-open-the-runtime",
    comment: "host/runtime.ts gives the desktop without redaction: surfaces call tools through a host instead.",
    severity: "error",
    from: {
      path: "^src/",
      pathNot: ["^src/host/", toPattern("server/daemon/daemon.ts"), toPattern("server/mcp/open-host.ts")],
    },
    to: { path: toPattern("host/runtime.ts") },
  },
];

const WEB_FENCES = [
  {
    name: "fence-web",
    comment: "web/ runs in a browser. It may import: web, src/inspector, src/model, src/marks, preact.",
    severity: "error",
    from: { path: "^web/" },
    to: { pathNot: ["^web/", "^src/(inspector|model|marks)/", "^node_modules/preact/"] },
  },
  {
    name: "only-the-page-is-served",
    comment: "What Bun runs takes the page as a whole, as files; nothing of it is called.",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^web/", pathNot: "^web/index\\.html$" },
  },
];

const PLACES = [...Object.keys(MAY_IMPORT), "platform"].map(toPattern);
const NO_PLACE =
  "This file is in no folder that .dependency-cruiser.cjs knows: decide there what the folder may import.";

const EVERYWHERE = [
  {
    name: "every-importing-file-has-a-fence",
    comment: NO_PLACE,
    severity: "error",
    from: { path: "^src/", pathNot: PLACES },
    to: {},
  },
  {
    name: "every-imported-file-has-a-fence",
    comment: NO_PLACE,
    severity: "error",
    from: {},
    to: { path: "^src/", pathNot: PLACES },
  },
  {
    name: "model-imports-nothing",
    comment: "The model is pure data and functions: no packages, no system modules.",
    severity: "error",
    from: { path: "^src/model/" },
    to: { pathNot: "^src/" },
  },
  {
    name: "no-tests-in-production",
    comment: "What users run never imports tests, measurements or scripts.",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^(tests|bench|scripts)/" },
  },
  {
    name: "no-cycles",
    comment: "Modules that need each other are one idea, or miss a third one.",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-unknown-imports",
    // Node 20, which runs this check, has no node:sqlite; Bun, which runs the program, has.
    comment: "The import leads nowhere, so no fence can judge it.",
    severity: "error",
    from: { path: "^(src|scripts)/" },
    to: { couldNotResolve: true, pathNot: "^(bun(:|$)|node:sqlite$)" },
  },
];

module.exports = {
  forbidden: [
    ...Object.keys(MAY_IMPORT).map(fence),
    ...PLATFORM_FENCES,
    ...HANDS_FENCES,
    ...HOST_FENCES,
    ...WEB_FENCES,
    ...EVERYWHERE,
  ],
  options: {
    // TypeScript 7 has no compiler interface for JavaScript programs; without another parser nothing would be seen.
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    // The parts of a package that it lists under "exports".
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
    doNotFollow: { path: "node_modules" },
  },
};
