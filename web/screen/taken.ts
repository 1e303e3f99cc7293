import { useEffect } from "preact/hooks";
import { desk, deskVersion, rpc } from "../state.ts";
import { Store } from "../store.ts";
import { PictureFeed, type TakenPicture } from "./picture-feed.ts";

/** The newest picture, which stays while another panel is shown. */
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

export function refreshPicture(): void {
  feed.request();
}

/** Keeps the picture up to date while the panel is shown and its page can be seen. */
export function usePictures(scale: number): void {
  useEffect(() => feed.setScale(scale), [scale]);
  useEffect(() => {
    // Before anybody can be asked, nobody is: a failure would be followed by a rest.
    const look = (): void => {
      feed.setShown(document.visibilityState === "visible" && rpc.link.value.state === "open");
    };
    const ask = (): void => feed.request();
    const releases = [deskVersion.subscribe(ask), rpc.onOpen(ask), rpc.link.subscribe(look)];
    document.addEventListener("visibilitychange", look);
    ask();
    look();
    return () => {
      for (const release of releases) release();
      document.removeEventListener("visibilitychange", look);
      feed.setShown(false);
    };
  }, []);
}
