import { runPiece } from "./pieces.ts";

await runPiece(process.argv[2]);
