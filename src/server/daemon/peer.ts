import { dlopen, ptr } from "bun:ffi";
import { cLibraries } from "../../guard/flock.ts";

// <sys/socket.h> of Linux: the process at the other end of a Unix socket, as the kernel saw it when it connected.
const socketLevel = 1;
const peerCredentials = 17;
const credentialBytes = 12;

export interface Peer {
  readonly pid: number;
  readonly uid: number;
  readonly startTicks: number;
}

type FindPeer = (descriptor: number) => Peer | undefined;

let opened: FindPeer | undefined;

/** Who is at the other end of a Unix socket; undefined where the system does not say. */
export function findPeer(descriptor: number): Peer | undefined {
  opened ??= openFindPeer();
  return opened(descriptor);
}

function openFindPeer(): FindPeer {
  for (const name of cLibraries) {
    try {
      const { getsockopt } = dlopen(name, {
        getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
      }).symbols;
      return (descriptor) => {
        const [credentials, length] = [new Int32Array(credentialBytes / 4), new Uint32Array([credentialBytes])];
        const status = getsockopt(descriptor, socketLevel, peerCredentials, ptr(credentials), ptr(length));
        const [pid, uid] = credentials;
        if (status !== 0 || length[0] !== credentialBytes || pid === undefined || uid === undefined) return undefined;
        // A user's number is unsigned.
        return { pid, uid: uid >>> 0, startTicks: 0 };
      };
    } catch {
      // Not this C library: try the next.
    }
  }
  throw new Error("the C library has no getsockopt");
}
