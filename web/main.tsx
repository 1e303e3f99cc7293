import { render } from "preact";
import { App } from "./app.tsx";
import { followDesk, rpc } from "./state.ts";

rpc.title.subscribe((title) => {
  document.title = title;
});
followDesk();
rpc.connect();
const root = document.getElementById("root");
if (root !== null) render(<App />, root);
