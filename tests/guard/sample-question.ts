import type { Question } from "../../src/guard/approval/approver.ts";

export const aQuestion: Question = {
  client: "test client",
  tool: "click",
  app: "Files",
  window: "Home",
  words: 'click btn "Delete" (12) in "Files"',
  why: 'delete: it says "Delete"',
  content: [],
  dangers: ["delete"],
};
