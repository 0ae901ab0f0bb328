import { QueryError } from './query-error.ts';
import { queryLimits } from './query-limits.ts';
import type { Path } from './syntax.ts';

/** Splits on a separator; a backslash before the separator makes it literal. */
export function splitEscaped(text: string, separator: ',' | '.'): string[] {
  if (!text.includes('\\')) return text.split(separator);
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && text[at + 1] === separator) {
      part += separator;
      at += 1;
    } else if (text[at] === separator) {
      parts.push(part);
      part = '';
    } else {
      part += text[at];
    }
  }
  parts.push(part);
  return parts;
}

/** The values of a comma-separated list, without the blanks around them; `\,` is a literal comma. */
export function splitList(parameter: string, text: string): string[] {
  const values = splitEscaped(text, ',').map(withoutBlanks);
  if (values.length > queryLimits.listValues) {
    throw new QueryError(parameter, `A list can have at most ${queryLimits.listValues} values.`);
  }
  return values;
}

function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (text[from] === ' ') from += 1;
  while (to > from && text[to - 1] === ' ') to -= 1;
  return text.slice(from, to);
}

const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** `address.city` as keys; `\.` is a literal dot. */
export function parsePath(parameter: string, text: string): Path {
  const path = splitEscaped(text, '.');
  if (path.includes('')) throw new QueryError(parameter, 'A field name is empty.');
  if (path.length > queryLimits.pathDepth) {
    throw new QueryError(parameter, `A path can have at most ${queryLimits.pathDepth} parts.`);
  }
  if (path.some((key) => refusedKeys.has(key))) {
    throw new QueryError(parameter, 'No document can have a field of that name.');
  }
  if (path[0]?.startsWith('$')) {
    throw new QueryError(
      parameter,
      'A field name cannot start with "$". Operators are suffixes, as in field__gt=5.',
    );
  }
  return path;
}
