import { compareText, splitEscaped } from '@plinth/protocol';
import { valueAt } from '../live/compare.ts';
import { type ReadCondition, readFilter } from './read-filter.ts';

/** Does a document pass a filter, as far as that can be told from it alone? As the server sees it. */
export function matches(filter: string, document: object): boolean {
  return readFilter(filter).every((any) => any.some((condition) => holds(condition, document)));
}

function holds({ path, operator, text, isText }: ReadCondition, document: object): boolean {
  const isTime = path.length === 1 && /^(cre|upd)atedAt$/.test(path[0] ?? '');
  const found = valueAt(document, path);
  const value = isTime ? Date.parse(String(found)) : found;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isAny = (texts: readonly string[]) => {
    const candidates = texts.flatMap((one): unknown[] => (isTime ? [Date.parse(one)] : meanings(one)));
    return values.some((one) => candidates.includes(one));
  };
  const isIn = () => isAny(splitEscaped(text, ',').map((one) => one.replace(/^ +| +$/g, '')));
  const folded = typeof value === 'string' ? fold(value) : undefined;
  switch (operator) {
    case 'eq':
      return isAny([text]);
    case 'ne':
      return !isAny([text]);
    case 'in':
      return isIn();
    case 'notin':
      return !isIn();
    case 'isnull':
      return (value === undefined || value === null) === (text === 'true');
    case 'contains':
      return (
        folded?.includes(fold(text)) ??
        (Array.isArray(value) &&
          (isAny([text]) || values.some((one) => typeof one === 'string' && fold(one) === fold(text))))
      );
    case 'startswith':
      return folded?.startsWith(fold(text)) ?? false;
    case 'endswith':
      return folded?.endsWith(fold(text)) ?? false;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const order = compared(
        value,
        (isTime ? Date.parse(text) : isText ? undefined : readNumber(text)) ?? text,
      );
      if (order === 0) return operator.endsWith('e');
      return order !== undefined && order > 0 === operator.startsWith('g');
    }
  }
}

/** Values of two types do not compare. */
function compared(a: unknown, b: string | number): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return typeof a === 'number' && typeof b === 'number' ? a - b : undefined;
}

/** Everything that a text in a query may mean: itself, a number, a boolean. */
function meanings(text: string): unknown[] {
  return [text, readNumber(text) ?? text, /^(true|false)$/.test(text) ? text === 'true' : text];
}

function readNumber(text: string): number | undefined {
  const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const fold = (text: string) => text.toLowerCase().replace(/ς/g, 'σ');
