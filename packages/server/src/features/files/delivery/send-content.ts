import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import parseRange from 'range-parser';
import type { ByteRange } from '../../../platform/blobs/blob-store.ts';
import { fileNotFound } from '../records/index.ts';
import { rangeNotSatisfiable } from './errors.ts';

const stalledMs = 60_000;

/** Bytes to send. */
export interface Content {
  /** Distinguishes them from every other form of the same file. */
  readonly tag: string;
  readonly size: number;
  readonly open: (range?: ByteRange) => Promise<Readable | undefined>;
}

/** Headers that describe the content. */
export interface ContentHeaders {
  readonly 'content-type': string;
  readonly etag: string;
  readonly 'last-modified': string;
  readonly [name: string]: string;
}

/** Answers a GET or HEAD with the whole, a part, or 304 if nothing changed. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  headers: ContentHeaders,
): Promise<FastifyReply> {
  const { 'content-type': _, ...withoutType } = headers;
  // Cache-Control of the request is ignored: what never changes need not be sent again.
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers;
  if (fresh({ 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince }, headers)) {
    return reply.code(304).headers(withoutType).send();
  }
  const range = wantedRange(request, headers, content.size);
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(content.size);
  const length = range ? range.end - range.start + 1 : content.size;
  const isBodiless = request.method === 'HEAD' || length === 0;
  const body = isBodiless ? undefined : await content.open(range);
  if (!body && !isBodiless) {
    request.log.error({ etag: headers.etag }, 'a file in the database has no content in the blob store');
    const [path = ''] = request.url.split('?', 1);
    throw fileNotFound(path);
  }
  // Only now: a failure must not be cached for a year as if it were the file.
  reply
    .code(range ? 206 : 200)
    .headers(headers)
    .header('Accept-Ranges', 'bytes')
    .header('Content-Length', length);
  if (range) reply.header('Content-Range', `bytes ${range.start}-${range.end}/${content.size}`);
  // A reader that has taken nothing for so long must not hold the file open.
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
  return reply.send(body);
}

/** One range of bytes. Several at once, or a range that is not understood, are answered with the whole. */
function wantedRange(
  { headers, method }: FastifyRequest,
  validators: ContentHeaders,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  if (method !== 'GET' || headers.range === undefined) return undefined;
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== validators.etag && condition !== validators['last-modified']) {
    return undefined;
  }
  // A suffix longer than the content means all of it, which the parser does not know.
  const suffix = /^bytes=\s*-(\d+)\s*$/.exec(headers.range)?.[1];
  if (suffix !== undefined && Number(suffix) >= size && size > 0) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, headers.range);
  if (ranges === -2 || (ranges !== -1 && (ranges.type !== 'bytes' || ranges.length !== 1))) return undefined;
  if (ranges !== -1) return ranges[0];
  // Among several there may be such a suffix.
  return headers.range.includes(',') ? undefined : 'unsatisfiable';
}
