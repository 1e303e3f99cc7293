import { activationKey } from "./quirks.ts";

/**
 * AT-SPI key bindings are "mnemonic;menu path;accelerator" in GTK's notation; other toolkits give only the last. The
 * accelerator works from anywhere, so it is the shortcut.
 */
export function readShortcut(bindings: readonly string[]): string {
  for (const binding of bindings) {
    const parts = binding.split(";");
    const accelerator = parts.length >= 3 ? parts[2] : parts.length === 1 ? parts[0] : undefined;
    if (accelerator !== undefined && accelerator !== "" && !activationKey.test(accelerator))
      return formatAccelerator(accelerator);
  }
  return "";
}

const modifierNames = new Map([
  ["primary", "Ctrl"],
  ["control", "Ctrl"],
  ["ctrl", "Ctrl"],
  ["shift", "Shift"],
  ["alt", "Alt"],
  ["super", "Super"],
  ["meta", "Meta"],
]);

/** "<Primary><Shift>s" → "Ctrl+Shift+S" */
function formatAccelerator(accelerator: string): string {
  const parts: string[] = [];
  const key = accelerator.replaceAll(/<([^>]+)>/g, (_match, modifier: string) => {
    parts.push(modifierNames.get(modifier.toLowerCase()) ?? modifier);
    return "";
  });
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join("+");
}
