import { Command } from "commander";
import { addSandboxCommand } from "../../src/cli/sandbox.ts";

const program = new Command("deskmap");
addSandboxCommand(program);
await program.parseAsync();
