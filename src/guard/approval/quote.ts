import { cleanText } from "../../model/plain-text.ts";

const maxLength = 80;

/** Words of an application, which can neither end their quotes nor steer a terminal. */
export function quote(text: string): string {
  return JSON.stringify(cleanText(text, maxLength));
}
