/**
 * A byte stream to a Unix socket. Bun's socket is used because importing node:net adds 15 ms to every start
 * (docs/decisions.md); nothing else in platform/linux depends on the runtime.
 */
export interface ByteSocket {
  write(bytes: Uint8Array): void;
  close(): void;
  /** Stops using it without ending it: another process holds it open as long as the given one runs. */
  leaveOpen(pid: number): void;
}

export interface SocketListener {
  onData(bytes: Uint8Array): void;
  onClose(reason: string): void;
}

export async function connectUnix(path: string, listener: SocketListener): Promise<ByteSocket> {
  let unsent: Uint8Array[] = [];
  let isClosed = false;
  const finish = (reason: string): void => {
    if (isClosed) return;
    isClosed = true;
    unsent = [];
    listener.onClose(reason);
  };
  const socket = await Bun.connect({
    unix: path,
    socket: {
      data: (_socket, bytes) => listener.onData(bytes),
      drain: () => flush(),
      close: () => finish("the other side closed the connection"),
      error: (_socket, error) => finish(error.message),
    },
  });

  function flush(): void {
    while (!isClosed && unsent.length > 0) {
      const next = unsent[0];
      if (next === undefined) return;
      const sent = socket.write(next);
      if (sent < 0) return finish("the connection is gone");
      if (sent < next.length) {
        unsent[0] = next.subarray(sent);
        return;
      }
      unsent.shift();
    }
  }

  return {
    write(bytes) {
      unsent.push(bytes);
      if (unsent.length === 1) flush();
    },
    close() {
      isClosed = true;
      unsent = [];
      socket.end();
    },
    leaveOpen(pid) {
      isClosed = true;
      unsent = [];
      holdOpen(socket, pid);
      // Not closed here: that would shut it down for the other process, too. It ends with this process.
      socket.unref();
    },
  };
}

/**
 * `tail` starts in a millisecond and ends with the process it is told of. Missing in Bun's types: the descriptor. It is
 * negative once the other side has ended, which may not have been reported yet.
 */
function holdOpen(socket: object, pid: number): void {
  const descriptor: unknown = Reflect.get(socket, "fd");
  if (typeof descriptor !== "number" || descriptor < 0) return;
  const holder = Bun.spawn(["tail", `--pid=${pid}`, "-f", "/dev/null"], {
    cwd: "/",
    detached: true,
    stdio: [descriptor, "ignore", "ignore"],
  });
  holder.unref();
}

/**
 * Notifies all listeners of a connection. An exception in one is a bug: thrown here it would look like the end of the
 * connection, so it is rethrown asynchronously.
 */
export function notifyListeners<T>(listeners: Iterable<(event: T) => void>, event: T): void {
  for (const listener of listeners) {
    try {
      listener(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
