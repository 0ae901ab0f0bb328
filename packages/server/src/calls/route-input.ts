import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { invalidBody } from '../platform/http/errors.ts';
import { queryTooLong } from './errors.ts';

/** A query string. Send longer ones as the body of `POST …/query`. @limit invalid_query bytes */
const longestQuery = 8192;

export function queryStringOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const queryAt = url.indexOf('?');
  const queryString = queryAt === -1 ? '' : url.slice(queryAt + 1);
  if (queryString.length > longestQuery) throw queryTooLong(longestQuery);
  return queryString;
}

export async function fillBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

/** Whoever sends a body to a call that has no use for one expects something of it. Clients that always send one send `{}`. */
export async function refuseBody({ body }: FastifyRequest): Promise<void> {
  const isEmpty = body === undefined || body === null || isDeepStrictEqual(body, {});
  if (!isEmpty) throw invalidBody('This request must not have a body.');
}
