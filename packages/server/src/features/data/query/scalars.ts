/** A stored value that a condition can be compared with. */
export type Scalar = string | number | boolean;

/** How many characters of a string `sort_key` keeps. */
const keyLength = 128;

/** The sort key of a value; if it was cut, or might have been, it does not say all. */
export function cutKey(value: Scalar): { key: Scalar; isCut: boolean } {
  if (typeof value !== 'string' || !isLong(value)) return { key: value, isCut: false };
  return { key: Array.from(value).slice(0, keyLength).join(''), isCut: true };
}

/** May a value be longer than its sort key? */
export function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length >= keyLength;
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The number a text reads as, by JSON's grammar; undefined if it does not, or is not finite. */
export function readNumber(text: string): number | undefined {
  if (!jsonNumber.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Everything a text on the URL may mean: itself, a number, a boolean. */
export function candidatesOf(text: string): Scalar[] {
  const candidates: Scalar[] = [text];
  const number = readNumber(text);
  if (number !== undefined) candidates.push(number);
  if (text === 'true' || text === 'false') candidates.push(text === 'true');
  return candidates;
}

/** Lower case with final sigma folded, the same as cell.fold in SQL. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
