import type { Command } from "commander";
export function addResumeCommand(_program: Command): void {}
