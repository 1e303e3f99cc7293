import { releaseInput } from "./release.ts";

await releaseInput(process.argv[2] ?? "", process.env);
