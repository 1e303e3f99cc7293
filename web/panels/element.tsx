export function ElementPanel() {
  return <p class="hint">Nothing is shown here yet.</p>;
}
