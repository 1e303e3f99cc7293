// The entry point of every npm command: node scripts/run.mjs <job> [arguments].
// Plain JavaScript without dependencies, because it runs before anything is installed. The version is checked before the
// rest is loaded, so that an old Node prints advice and not a syntax error.
import { explainOldNode } from "./node-version.mjs";

const JOBS = {
  start: { says: "open Deskmap on this desktop, or on a private one", load: () => import("./jobs/start.mjs") },
  test: {
    says: "run the checks and each feature once; --all for every test; or only the folders given",
    load: () => import("./jobs/test.mjs"),
  },
  check: { says: "run every check, or only the ones named", load: () => import("./jobs/check.mjs") },
  format: { says: "format the code and order its imports", load: () => import("./jobs/format.mjs") },
  generate: { says: "update the generated files", load: () => import("./jobs/generate.mjs") },
  pictures: { says: "update the pictures of the README", load: () => import("./jobs/pictures.mjs") },
  bench: { says: "run every benchmark, or only the ones named", load: () => import("./jobs/bench.mjs") },
  build: { says: "make dist/deskmap, one executable file", load: () => import("./jobs/build.mjs") },
  library: { says: "make dist/library, what Node imports", load: () => import("./jobs/library.mjs") },
  soak: { says: "run for a long time and watch for leaks", load: () => import("./jobs/soak.mjs") },
};

function listJobs() {
  return Object.entries(JOBS)
    .map(([name, job]) => `  ${name.padEnd(9)} ${job.says}`)
    .join("\n");
}

async function runJob(name, args) {
  const job = JOBS[name];
  if (job === undefined) {
    console.error(`There is no job named "${name ?? ""}". The jobs are:\n${listJobs()}`);
    return 2;
  }
  const module = await job.load();
  return module.run(args);
}

const advice = explainOldNode(process.versions.node);
if (advice === undefined) {
  process.exitCode = await runJob(process.argv[2], process.argv.slice(3));
} else {
  console.error(advice);
  process.exitCode = 1;
}
