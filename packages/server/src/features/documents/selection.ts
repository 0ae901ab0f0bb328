import type { Path } from '@plinth/protocol';
import { invalidQuery, readQuery } from '../query/index.ts';

/** The `select` of a single read, which takes no other parameter. */
export function readSelection(queryString: string): readonly Path[] | undefined {
  if (queryString === '') return undefined;
  const other = queryString.split('&').find((piece) => piece !== '' && !piece.startsWith('select='));
  if (other !== undefined)
    throw invalidQuery(other.split('=', 1)[0]!, 'Reading one document takes select only.');
  return readQuery(queryString).select;
}
