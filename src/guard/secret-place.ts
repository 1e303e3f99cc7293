import type { SingleElement } from "../model/element.ts";
import type { SecretPlace } from "../model/secrets.ts";
import type { Request } from "./gate.ts";

/** The page and the window that a secret would be filled into. A title is the page's own word; its address is the browser's. */
export function findSecretPlace({ element, window, within = () => [] }: Request): SecretPlace {
  const path = [...within(), ...(element === undefined ? [] : [element])];
  const at = path.findLastIndex(({ url }) => url !== "");
  const address = path[at]?.url;
  // A frame may hold a page of another origin than the one around it.
  const isOriginUnknown = address !== undefined && path.slice(at + 1).some(mayBePage);
  const origin = address === undefined || isOriginUnknown ? undefined : originOf(address);
  return { origin, isOriginUnknown, windowId: window?.id };
}

function mayBePage({ role, platformRole }: SingleElement): boolean {
  return platformRole === "internal frame" || role === "web" || role === "document";
}

/** A local file has no origin: its address identifies it. */
function originOf(address: string): string {
  const { origin = "null" } = URL.parse(address) ?? {};
  return origin === "null" ? address : origin;
}
