import { unlessRefused } from "../dbus/bus.ts";
import { embeds, nullPath, type Peer, rootPath, screenCoordinates } from "./peer.ts";

const pollIntervalMs = 8;
const maxWaitMs = 1500;

/**
 * Firefox (since 130) keeps a page's names, states, positions and texts in its content process and fetches each kind
 * only after a first request; the first answers are empty, and positions are −1. So each visible page is asked for
 * everything, positions last, and the read starts when its position is known.
 */
export async function warmUpPages(peer: Peer): Promise<void> {
  // A window that closes meanwhile, or has no page, is read as it is.
  await unlessRefused(findAndWarmUp(peer));
}

async function findAndWarmUp(peer: Peer): Promise<void> {
  const frames = await peer.getChildren(rootPath);
  const relations = await Promise.all(frames.map(([, path]) => peer.getRelations(path)));
  const pages = relations
    .flat()
    .filter(([type]) => type === embeds)
    .flatMap(([, targets]) => targets);
  await Promise.all(pages.filter(([, path]) => path !== nullPath).map(([, path]) => warmUpPage(peer, path)));
}

export async function warmUpPage(peer: Peer, page: string): Promise<void> {
  // Listing the children of a page of 50,000 nodes takes half a second.
  const [, first] = await peer.getChildAt(page, 0);
  const probe = first === nullPath ? page : first;
  const questions: Promise<unknown>[] = [
    peer.getProperty(probe, "Accessible", "Name"),
    peer.getStates(probe),
    peer.getText(probe, 0, 1),
    peer.getAttributes(probe),
    peer.getActions(probe),
    peer.getRelations(probe),
  ];
  const started = performance.now();
  await Promise.allSettled(questions);
  for (;;) {
    // Of the page itself: an element inside may never have a size.
    const [, , width] = await peer.getExtents(page, screenCoordinates);
    if (width >= 0 || performance.now() - started > maxWaitMs) return;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}
