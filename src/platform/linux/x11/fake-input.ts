/** XTestFakeInput: how programs send input. Its requests are built in xtest.ts, and recognised by person-input.ts. */
export const fakeInput = 2;
export const eventType = { keyPress: 2, keyRelease: 3, buttonPress: 4, buttonRelease: 5, motion: 6 } as const;

/** "DESK" and "MAP!" in two words of the request that the protocol leaves unused and servers ignore. */
const mark = Buffer.from("DESKMAP!", "latin1");
const markAt = 16;

/** Marks a request as Deskmap's own: all programs share the XTEST devices, which the server names in its events. */
export function markOwn(request: Buffer): void {
  mark.copy(request, markAt);
}

export function isOwn(request: Buffer): boolean {
  return request.subarray(markAt, markAt + mark.length).equals(mark);
}
