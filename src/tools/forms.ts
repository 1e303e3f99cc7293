/** The forms in which an answer is given. */
export const formats = ["json", "text", "csv"] as const;
export type Format = (typeof formats)[number];
