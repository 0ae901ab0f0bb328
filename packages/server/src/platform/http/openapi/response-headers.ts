import { Type } from 'typebox';

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const text = (description: string, example: string) => Type.String({ description, examples: [example] });

/** Every header of an answer that means something to a program. What HTTP itself needs is not here. */
export const responseHeaders = {
  'X-Request-Id': text(
    'Names the call in the log of the service. It is yours if you sent one: 8 to 64 letters, digits, `.`, `_` and `-`.',
    '0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f',
  ),
  'X-RateLimit-Limit': count('How many calls a minute you may make.', 1000),
  'X-RateLimit-Remaining': count('How many of them are left.', 997),
  'X-RateLimit-Reset': count('When counting begins anew, in seconds since 1970.', 1_795_000_020),
  'Cache-Control': text('Who may keep the answer: nobody but the caller, unless it is public.', 'no-store'),
  'Retry-After': count('After how many seconds to try again.', 7),
  ETag: text('The version of the document: send it as `If-Match` with a change that relies on it.', '"3"'),
  'X-Total-Count': count('`total` of the list, in the bare form.', 42),
  'X-Versions': text(
    'Which version each document is, where `Prefer: versions` asks for it. In the bare form.',
    '3,1',
  ),
  'X-Total-Floor': text('`true`: there are more than `X-Total-Count` says. In the bare form.', 'true'),
  Link: text(
    'The next page of the list, in the bare form.',
    '</collections/posts?cursor=eyJpIjoiMDE5…>; rel="next"',
  ),
  'Idempotency-Replayed': text('`true`: the call was done before, and this is its answer once more.', 'true'),
  'Accept-Ranges': text('The unit of ranges.', 'bytes'),
  'Content-Disposition': text('The name of the file.', 'inline; filename="lake.jpg"'),
  'Content-Range': text('Which bytes of the file these are.', 'bytes 0-1023/48211'),
  'Content-Security-Policy': text('Keeps what a browser might run from running.', "default-src 'none'"),
  'Last-Modified': text('When the file was stored.', 'Mon, 16 Nov 2026 09:30:00 GMT'),
  Location: text(
    'The address of what was made, or where a browser goes on.',
    '/storage/resumable/0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f',
  ),
  'Tus-Resumable': text('The version of the tus protocol.', '1.0.0'),
  'Upload-Offset': count('How many bytes have arrived.', 1_048_576),
  'Upload-Length': count('How many bytes the file has.', 52_428_800),
  'Upload-Metadata': text('What was said of the file.', 'filename bGFrZS5qcGc='),
  'Upload-Expires': text('Until when the upload can be gone on with.', 'Tue, 17 Nov 2026 09:30:00 GMT'),
  'Plinth-File-Id': text(
    'The id of the file, once all of it has arrived.',
    '0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f',
  ),
  'X-Accel-Buffering': text('Tells proxies to pass on each event at once.', 'no'),
};

export type ResponseHeader = keyof typeof responseHeaders;
