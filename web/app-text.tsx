/** Text of an application, isolated so that its writing direction does not affect the text around it. */
export function AppText({ text }: { readonly text: string }) {
  return <bdi class="app-text">{text}</bdi>;
}
