import { readFileSync } from "node:fs";

/** The kernel counts in steps of 10 ms. */
const stepMs = 10;

/** Processor time that one process has used. */
export function readProcessorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * stepMs;
}
