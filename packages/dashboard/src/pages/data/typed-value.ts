/** What somebody typed: numbers, booleans and null as such, JSON if it begins like it, anything else as text. */
export function typedValue(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '' || !/^(-?\d|true$|false$|null$|[{["])/.test(trimmed)) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    // What a number cannot hold stays as it was written.
    const isLossy = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(trimmed);
    return isLossy ? text : value;
  } catch {
    return text;
  }
}

/** A value as it is typed: the same value comes back. */
export function typedText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return typedValue(value) === value ? value : JSON.stringify(value);
}

/** In a table that is copied or exported: one line, no tab. */
export function plainText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
