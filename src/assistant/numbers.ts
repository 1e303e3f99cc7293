interface NumberWords {
  readonly ones: readonly string[];
  readonly tens: Readonly<Record<string, number>>;
  readonly hundred: string;
  readonly and: string;
  /** German says the ones before the tens. */
  readonly isOnesFirst: boolean;
}

/** The number up to 999 that digits or words mean. */
export function makeNumberReader({ ones, tens, hundred, and, isOnesFirst }: NumberWords) {
  const small = new Map<string, number>([
    ...ones.map((word, index): [string, number] => [word, index]),
    ...Object.entries(tens),
  ]);
  for (const [ten, value] of Object.entries(tens)) {
    ones.slice(1, 10).forEach((one, index) => {
      small.set(isOnesFirst ? `${one}${and}${ten}` : `${ten}${one}`, value + index + 1);
    });
  }
  const readSmall = (text: string): number | undefined => (text === "" ? 0 : small.get(text));
  return (text: string): number | undefined => {
    if (/^\d{1,6}$/.test(text)) return Number(text);
    const plain = text.toLowerCase().replace(/[\s-]+/g, "");
    const at = plain.indexOf(hundred);
    if (at < 0) return plain === "" ? undefined : small.get(plain);
    const rest = plain.slice(at + hundred.length);
    const many = at === 0 ? 1 : small.get(plain.slice(0, at));
    const more = readSmall(rest) ?? (rest.startsWith(and) ? readSmall(rest.slice(and.length)) : undefined);
    return many === undefined || many > 9 || more === undefined ? undefined : many * 100 + more;
  };
}
