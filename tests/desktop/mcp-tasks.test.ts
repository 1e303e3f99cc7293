import { openMcpScene } from "./mcp-scene.ts";
import { describeForm } from "./tasks/describe-form.ts";
import { gtk3 } from "./tasks/form-words.ts";

// The tasks of the command line, each of them done by a client that has nothing but MCP; what was done is read in the file
// that the form's own program writes.
describeForm(gtk3, ", by MCP alone", openMcpScene);
