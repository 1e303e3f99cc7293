import type { Failure } from "../../src/model/failure.ts";

/** Shows a failure with the same text that every client gets. */
export function Trouble({ failure }: { readonly failure: Failure }) {
  const { code, message, suggestion, done } = failure;
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{code}</strong> {message}
      </p>
      {suggestion === undefined ? null : <p>Try: {suggestion}</p>}
      <p>{done}</p>
    </div>
  );
}
