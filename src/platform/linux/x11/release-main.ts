import { releaseInput } from "./undo.ts";

await releaseInput(process.argv[2] ?? "", process.env);
