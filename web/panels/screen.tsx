export function ScreenPanel() {
  return <p class="hint">Nothing is shown here yet.</p>;
}
