import type { Env } from "../model/env.ts";
import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import type { VisionProvider } from "./port.ts";

const variable = "DESKMAP_VISION";
/** Each provider is loaded only where it is used. */
const providers: Readonly<Record<string, (env: Env) => Promise<VisionProvider | undefined>>> = {
  tesseract: async (env) => new (await import("./tesseract.ts")).Tesseract({ env }),
  off: async () => undefined,
};

/** Who looks at pictures: as DESKMAP_VISION says, else Tesseract where it is installed, else nobody. */
export async function pickVision(env: Env): Promise<Result<VisionProvider | undefined>> {
  const wish = (env[variable] ?? "").trim().toLowerCase();
  const name = wish === "" ? findInstalled(env) : wish;
  const open = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (open !== undefined) return succeed(await open(env));
  return fail({
    code: "USAGE",
    message: `${variable} is ${quoteText(wish)}, which nobody is called`,
    nearest: Object.keys(providers),
    suggestion: `set it to one of ${Object.keys(providers).join(", ")}, or to nothing.`,
    done: nothingDone,
  });
}

function findInstalled({ PATH }: Env): string {
  return Bun.which("tesseract", { PATH: PATH ?? "" }) === null ? "off" : "tesseract";
}
