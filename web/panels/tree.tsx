import { keyOf, listRows } from "../rows.ts";
import { desk, deskVersion } from "../state.ts";
import { useStore } from "../store.ts";

export function TreePanel() {
  useStore(deskVersion);
  const rows = listRows(desk, new Set()).slice(0, 100);
  return (
    <ul>
      {rows.map((row) => (
        <li key={keyOf(row)}>
          {row.kind === "window" ? desk.windows.get(row.id)?.title : desk.controls.get(row.id)?.name}
        </li>
      ))}
    </ul>
  );
}
