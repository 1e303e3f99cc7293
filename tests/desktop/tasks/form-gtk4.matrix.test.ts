import { describeForm } from "./describe-form.ts";

describeForm({
  toolkit: "gtk4",
  radio: "chk",
  branch: ["group", "Fruit"],
  row: "option",
  colourItem: "option",
  menuButton: "btn",
  toggle: "chk",
  expander: "btn",
});
