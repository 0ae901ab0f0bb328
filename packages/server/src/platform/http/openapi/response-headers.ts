import { Type } from 'typebox';

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const text = (description: string, example: string) => Type.String({ description, examples: [example] });

/** Every header of an answer that means something to a program. What HTTP itself needs is not here. */
export const responseHeaders = {
  'X-Request-Id': text(
    'Identifies the request in the log of the service. If you sent one, it is yours: 8 to 64 letters, digits, `.`, `_` and `-`.',
    '0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f',
  ),
  'X-RateLimit-Limit': count('The maximum number of requests per minute.', 1000),
  'X-RateLimit-Remaining': count('The number of requests left in the current minute.', 997),
  'X-RateLimit-Reset': count('When the limit resets, in seconds since 1970.', 1_795_000_020),
  'Cache-Control': text('Who can cache the response: only the caller, unless it is public.', 'no-store'),
  'Retry-After': count('The number of seconds to wait before retrying.', 7),
  ETag: text('The version of the document. Send it as `If-Match` with a change that relies on it.', '"3"'),
  'X-Total-Count': count('The list’s `total`, in the bare format.', 42),
  'X-Versions': text(
    'The version of each document, if requested with `Prefer: versions`; in the bare format.',
    '3,1',
  ),
  'X-Total-Floor': text('`true`: there are more than `X-Total-Count`; in the bare format.', 'true'),
  Link: text(
    'The next page of the list, in the bare format.',
    '</collections/posts?cursor=eyJpIjoiMDE5…>; rel="next"',
  ),
  'Idempotency-Replayed': text(
    '`true`: the request was already processed, and this is the same response again.',
    'true',
  ),
  'Accept-Ranges': text('The unit of ranges.', 'bytes'),
  'Content-Disposition': text('The name of the file.', 'inline; filename="lake.jpg"'),
  'Content-Range': text('Which bytes of the file these are.', 'bytes 0-1023/48211'),
  'Content-Security-Policy': text(
    'Prevents browsers from running anything in the file.',
    "default-src 'none'",
  ),
  'Last-Modified': text('When the file was stored.', 'Mon, 16 Nov 2026 09:30:00 GMT'),
  Location: text(
    'The URL of what was created, or the one that a browser is redirected to.',
    '/storage/resumable/0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f',
  ),
  'Tus-Resumable': text('The version of the tus protocol.', '1.0.0'),
  'Upload-Offset': count('How many bytes have arrived.', 1_048_576),
  'Upload-Length': count('How many bytes the file has.', 52_428_800),
  'Upload-Metadata': text('The metadata of the file.', 'filename bGFrZS5qcGc='),
  'Upload-Expires': text(
    'When the upload expires: until then, it can be resumed.',
    'Tue, 17 Nov 2026 09:30:00 GMT',
  ),
  'Plinth-File-Id': text(
    'The id of the file, once it has arrived completely.',
    '0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f',
  ),
  'X-Accel-Buffering': text('Tells proxies to pass on each event immediately.', 'no'),
};

export type ResponseHeader = keyof typeof responseHeaders;
