/** A person has stopped everything while input was under way; what was held has been let go of. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(readonly done: string) {
    super("it was stopped");
  }
}
