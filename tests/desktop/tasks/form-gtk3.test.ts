import { describeForm } from "./describe-form.ts";

describeForm({
  toolkit: "gtk3",
  radio: "radio",
  branch: ["cell", "Fruit"],
  row: "cell",
  colourItem: "menuitem",
  menuButton: "toggle",
  toggle: "switch",
  expander: "toggle",
});
