/** A person stopped everything during input; everything held was released. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(readonly done: string) {
    super("it was stopped");
  }
}
