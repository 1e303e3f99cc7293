import { runPiece } from "./supervisor.ts";

await runPiece(process.argv[2]);
