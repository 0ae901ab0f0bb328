import type { FastifyRequest } from 'fastify';

/** Parameters that are not conditions. A field of such a name is written `field:ticket`. */
const own = new Set(['ticket', 'since', 'snapshot']);

export function parameter(
  request: FastifyRequest,
  name: 'ticket' | 'since' | 'snapshot',
): string | undefined {
  const piece = pieces(request).find((piece) => piece.startsWith(`${name}=`));
  const text = piece?.slice(name.length + 1);
  try {
    return text && decodeURIComponent(text);
  } catch {
    // No valid ticket or cursor: it is refused as such.
    return text;
  }
}

/** The rest of the query string: the filter. */
export function conditionsOf(request: FastifyRequest): string {
  return pieces(request)
    .filter((piece) => {
      const [name = ''] = piece.split('=', 1);
      return !own.has(name);
    })
    .join('&');
}

function pieces({ url }: FastifyRequest): string[] {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? [] : url.slice(queryAt + 1).split('&');
}
