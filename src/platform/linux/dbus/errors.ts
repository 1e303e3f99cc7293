/** Bytes that are not a valid D-Bus message. The connection cannot be used afterwards. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}

/** An error reply: the other side is alive and refuses. */
export class ErrorReply extends Error {
  override readonly name = "ErrorReply";
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The bus connection ended. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** The time allowed for one application ran out. */
export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

/** Undefined for an error reply: the object is gone or does not offer the call. */
export async function unlessRefused<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ErrorReply) return undefined;
    throw error;
  }
}
