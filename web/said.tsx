/** A text of an application: shown as text whatever is in it, and its direction does not reach what stands beside it. */
export function Said({ text }: { readonly text: string }) {
  return <bdi class="said">{text}</bdi>;
}
