import { render } from "preact";
import { followActivity } from "./activity-feed.ts";
import { App } from "./app.tsx";
import { followAttention } from "./attention.ts";
import { followRecording } from "./demo-state.ts";
import { followDesk, rpc, takeLink } from "./state.ts";

rpc.title.subscribe((title) => {
  document.title = title;
});
takeLink();
// A new hash is the link of another inspector that was started at the same address.
addEventListener("hashchange", () => location.reload());
followDesk();
followAttention();
followActivity();
followRecording();
rpc.connect();
const root = document.getElementById("root");
if (root !== null) render(<App />, root);
