export function ActivityPanel() {
  return <p class="hint">Nothing is shown here yet.</p>;
}
