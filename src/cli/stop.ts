import type { Command } from "commander";
export function addStopCommand(_program: Command): void {}
