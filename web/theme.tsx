import { useEffect, useState } from "preact/hooks";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const key = "deskmap-theme";

function readTheme(): Theme {
  const kept = localStorage.getItem(key);
  return themes.find((one) => one === kept) ?? "system";
}

/** Follows the system's theme, or the one that is chosen here. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    localStorage.setItem(key, theme);
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <label class="theme">
      <span>Theme</span>
      <select
        value={theme}
        onChange={({ currentTarget }) => setTheme(themes.find((one) => one === currentTarget.value) ?? "system")}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
