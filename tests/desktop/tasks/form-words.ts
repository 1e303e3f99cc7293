/** GTK 3's names for the controls of the form. */
export const gtk3 = {
  toolkit: "gtk3",
  radio: "radio",
  branch: ["cell", "Fruit"],
  row: "cell",
  colourItem: "menuitem",
  menuButton: "toggle",
  toggle: "switch",
  expander: "toggle",
} as const;
