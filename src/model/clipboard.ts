/** The clipboard of copy and paste, and X11's primary selection (middle button). */
export const selections = ["clipboard", "primary"] as const;
export type Selection = (typeof selections)[number];
