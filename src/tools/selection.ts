import { z } from "zod";

/** The same words choose windows in every tool. */
export const windowSelection = {
  app: z.string().min(1).optional().describe("application by name, any case; part of the name will do"),
  window: z.string().min(1).optional().describe("window by a part of its title"),
  windowId: z.int().nonnegative().optional().describe("window by its id, as list shows it"),
  pid: z.int().positive().optional().describe("application by process id"),
};
