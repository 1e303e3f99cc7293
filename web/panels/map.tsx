export function MapPanel() {
  return <p class="hint">Nothing is shown here yet.</p>;
}
