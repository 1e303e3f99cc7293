/** What copy and paste use, and what X11 pastes with the middle button. */
export const selections = ["clipboard", "primary"] as const;
export type Selection = (typeof selections)[number];
