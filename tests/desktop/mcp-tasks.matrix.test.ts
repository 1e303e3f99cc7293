import { openMcpScene } from "./mcp-scene.ts";
import { describeForm } from "./tasks/describe-form.ts";
import { gtk3 } from "./tasks/form-words.ts";

// Command-line tasks performed by a client that has only MCP; results are read from the file that the form's own program
// writes. A sample of every kind, to save time: DESKMAP_TASKS_BY=mcp runs all tasks of all forms and applications this way.
describeForm(gtk3, {
  by: ", by MCP alone",
  open: openMcpScene,
  only: [
    "takes a name, typed, with letters that the keyboard has not",
    "takes a password, and the answer does not tell it",
    "has its box ticked, left ticked, and cleared",
    "has one of its sizes chosen",
    "counts to what is set",
    "has another colour chosen in its combo box",
    "has a branch of its tree opened and closed",
    "shows another tab",
    "has an entry of a context menu chosen",
    "has one thing dragged onto another",
    "has its switch switched",
    "has several things done by one batch, which stops at what does not hold",
    "has its button pressed by words, once",
    "is not said to have done anything where it does nothing",
  ],
});
