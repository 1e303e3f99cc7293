/** What leaves the machine for a model. */
export const sentKinds = ["text", "picture", "sound"] as const;
export type SentKind = (typeof sentKinds)[number];

/** A request to a model, as it would leave the machine. It is always a POST of JSON. */
export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer: its head first, then its text in the order of arrival. */
export type SentPart =
  | { readonly of: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly of: "text"; readonly text: string };
