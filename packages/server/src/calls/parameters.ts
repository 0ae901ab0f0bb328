import { type PageOptions, parsePage, QueryError } from '@plinth/protocol';
import { invalidQuery } from './errors.ts';

/** Reads limit and offset of a list without filters, and what else it takes. */
export async function readPage(queryString: string, options: PageOptions) {
  return wordedAsQueryErrors(async () => parsePage(queryString, options));
}

/** Refuses parameters that a call does not take. */
export function refuseOthers(queryString: string, taken: readonly string[]): void {
  const other = queryString
    .split('&')
    .find((piece) => piece !== '' && !taken.includes(piece.split('=', 1)[0]!));
  if (other === undefined) return;
  const rest = taken.length === 0 ? 'no parameters' : `${taken.join(' and ')} only`;
  throw invalidQuery(other.split('=', 1)[0]!, `This endpoint accepts ${rest}.`);
}

/** Words what the parser of the query language refuses as errors of the service. */
export async function wordedAsQueryErrors<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof QueryError) throw invalidQuery(error.parameter, error.message);
    throw error;
  }
}
