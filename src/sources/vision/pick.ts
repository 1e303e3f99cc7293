import type { Env } from "../../model/env.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { quoteText } from "../../model/plain-text.ts";
import type { VisionProvider } from "./port.ts";

const variable = "DESKMAP_VISION";
/** Loaded lazily. */
const providers: Readonly<Record<string, (env: Env) => Promise<VisionProvider | undefined>>> = {
  tesseract: async (env) => new (await import("./tesseract.ts")).Tesseract({ env }),
  off: async () => undefined,
};

/** Selects the provider: DESKMAP_VISION, else Tesseract if installed, else none. */
export async function pickVision(env: Env): Promise<Result<VisionProvider | undefined>> {
  const given = (env[variable] ?? "").trim().toLowerCase();
  const installed = Bun.which("tesseract", { PATH: env.PATH ?? "" }) === null ? "off" : "tesseract";
  const name = given || installed;
  const open = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (open !== undefined) return succeed(await open(env));
  return fail(
    makeFailure(
      "USAGE",
      `unknown vision provider ${quoteText(given)} in ${variable}`,
      `set it to ${Object.keys(providers).join(" or ")}, or unset it.`,
      { nearest: Object.keys(providers) },
    ),
  );
}
