/** What one method takes and gives. */
export interface MethodShape<Params, Value> {
  readonly params: Params;
  readonly value: Value;
}
