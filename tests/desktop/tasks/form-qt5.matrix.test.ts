import { describeForm } from "./describe-form.ts";

describeForm({
  toolkit: "qt5",
  radio: "radio",
  branch: ["cell", "Fruit"],
  row: "option",
  colourItem: "option",
  menuButton: "btn",
  toggle: "chk",
  expander: "btn",
});
