/** Compares by code point, as PostgreSQL does with collation C; JavaScript's `<` compares UTF-16 units instead. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above every other unit, but are numbered below U+E000. */
function rankOfUnit(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

const rankOfType = { null: 0, string: 1, number: 2, boolean: 3, container: 4 };

/** The order of sorting: missing and null, strings, numbers, false, true, then arrays and objects as one rank. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const type = sortType(a);
  const difference = rankOfType[type] - rankOfType[sortType(b)];
  if (difference !== 0) return difference;
  return type === 'number' || type === 'boolean' ? Number(a) - Number(b) : 0;
}

function sortType(value: unknown): keyof typeof rankOfType {
  if (value === undefined || value === null) return 'null';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'container';
}
