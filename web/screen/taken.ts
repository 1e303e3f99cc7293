import { useEffect } from "preact/hooks";
import { desk, deskVersion, rpc } from "../state.ts";
import { Store } from "../store.ts";
import { PictureFeed, type TakenPicture } from "./picture-feed.ts";

/** The newest picture, kept while another panel is shown. */
export const picture = new Store<TakenPicture | undefined>(undefined);
export const pictureTrouble = new Store<string | undefined>(undefined);

const feed = new PictureFeed({
  take: (scale) => rpc.call("screen.picture", { scale }),
  fetch: (number) => rpc.takePicture(number),
  version: () => desk.version,
  show: (taken) => {
    pictureTrouble.set(undefined);
    picture.set(taken);
  },
  complain: (message) => pictureTrouble.set(message),
  wait: (forMs) => new Promise((resolve) => setTimeout(resolve, forMs)),
});

/** How long the first picture waits for the tree. */
const treeMs = 1500;

export function refreshPicture(): void {
  feed.request();
}

/** Keeps the picture up to date while the panel is shown and the page is visible. */
export function usePictures(scale: number): void {
  useEffect(() => feed.setScale(scale), [scale]);
  useEffect(() => {
    // No request before the connection is open: a failure would delay the next one.
    const update = (): void => {
      feed.setShown(document.visibilityState === "visible" && rpc.link.value.state === "open");
    };
    const ask = (): void => feed.request();
    const askIfKnown = (): void => {
      if (desk.version > 0) ask();
    };
    const releases = [deskVersion.subscribe(ask), rpc.onOpen(askIfKnown), rpc.link.subscribe(update)];
    document.addEventListener("visibilitychange", update);
    // The first picture waits for the tree, so that it has marks; if the tree does not arrive, it is taken anyway.
    const late = setTimeout(() => {
      if (picture.value === undefined) ask();
    }, treeMs);
    askIfKnown();
    update();
    return () => {
      clearTimeout(late);
      for (const release of releases) release();
      document.removeEventListener("visibilitychange", update);
      feed.setShown(false);
    };
  }, []);
}
