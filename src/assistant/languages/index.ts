import type { Language } from "../language.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";

export const languages: readonly [Language, ...Language[]] = [english, german];
