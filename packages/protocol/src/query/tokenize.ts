import { QueryError } from './query-error.ts';
import { queryLimits } from './query-limits.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Splits a query string into decoded names and values; anything that cannot be decoded exactly is rejected. */
export function tokenize(queryString: string): Parameter[] {
  if (queryString.length > queryLimits.queryLength) {
    throw new QueryError('', `A query can have at most ${queryLimits.queryLength} bytes.`);
  }
  const pieces = queryString.split('&').filter((piece) => piece !== '');
  if (pieces.length > queryLimits.parameters) {
    throw new QueryError('', `A query can have at most ${queryLimits.parameters} parameters.`);
  }
  return pieces.map((piece) => {
    const equals = piece.indexOf('=');
    if (equals === -1) return { name: decode(piece, piece), value: '' };
    const name = piece.slice(0, equals);
    return { name: decode(name, name), value: decode(name, piece.slice(equals + 1)) };
  });
}

function decode(name: string, text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new QueryError(name, 'The text is not valid percent-encoded UTF-8.');
  }
  if (decoded.includes('\0'))
    throw new QueryError(name, 'The text contains a NUL character, which no value can contain.');
  return decoded;
}
