/** What a handler answers. `data` is JSON text already: documents pass from PostgreSQL to the wire unparsed. */
export interface Answer {
  readonly status: 200 | 201;
  readonly data: string;
  /** Siblings of `data` in the envelope, in this order. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly page?: PageInfo;
  /** Which version each document of a list is, if that was asked for. */
  readonly versions?: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Kept for an Idempotency-Key instead of the answer; the route's `replay` makes an answer of it. */
  readonly kept?: string;
}

/** The figures of a list. */
export interface PageInfo {
  readonly total: number | undefined;
  readonly totalIsFloor: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

export const ok = (value: unknown): Answer => ({ status: 200, data: JSON.stringify(value) });
export const created = (value: unknown): Answer => ({ status: 201, data: JSON.stringify(value) });

/** The answer with something to say beside its data; what is bare has no place for it. */
export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  return { ...answer, beside: { ...answer.beside, warnings: JSON.stringify(warnings) } };
}

/** The body in the envelope: `{"success":true,"data":…}`. */
export function envelope(answer: Answer): string {
  let body = `{"success":true,"data":${answer.data}`;
  for (const [name, text] of Object.entries(answer.beside ?? {})) body += `,"${name}":${text}`;
  if (answer.page) body += figuresOf(answer.page);
  if (answer.versions) body += `,"versions":${JSON.stringify(answer.versions.map(String))}`;
  return `${body}}`;
}

function figuresOf(page: PageInfo): string {
  const total = page.total === undefined ? '' : `,"total":${page.total}`;
  const floor = page.totalIsFloor ? ',"totalIsFloor":true' : '';
  const rest = `,"limit":${page.limit},"offset":${page.offset},"hasMore":${page.hasMore}`;
  return `${total}${floor}${rest},"nextCursor":${JSON.stringify(page.nextCursor)}`;
}

/** What the bare form says in headers, since its body is `data` alone. */
export function bareHeaders(answer: Answer, url: string): Record<string, string> {
  if (!answer.page) return {};
  const headers: Record<string, string> = {};
  if (answer.page.total !== undefined) headers['X-Total-Count'] = String(answer.page.total);
  if (answer.page.totalIsFloor) headers['X-Total-Floor'] = 'true';
  const next = nextPosition(answer.page);
  if (answer.versions) headers['X-Versions'] = answer.versions.join(',');
  if (next !== undefined) headers.Link = `<${pageAt(url, next)}>; rel="next"`;
  return headers;
}

/** Where the next page is: after a cursor, or for lists that have none at an offset. */
function nextPosition({ hasMore, nextCursor, offset, limit }: PageInfo): string | undefined {
  if (nextCursor !== null) return `cursor=${encodeURIComponent(nextCursor)}`;
  return hasMore ? `offset=${offset + limit}` : undefined;
}

function pageAt(url: string, position: string): string {
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const query = queryAt === -1 ? '' : url.slice(queryAt + 1);
  const kept = query.split('&').filter((piece) => piece !== '' && !/^(cursor|offset)=/.test(piece));
  return `${path}?${[...kept, position].join('&')}`;
}
