import type { IncomingHttpHeaders } from 'node:http';
import { type TSchema, Type } from 'typebox';

const headers = {
  'If-Match': Type.String({
    description:
      'The `ETag` of the version that the request relies on. If the version has changed since, nothing is written: 400 `version_mismatch`.',
    examples: ['"3"'],
  }),
  Prefer: Type.String({
    description:
      '`count=exact`: the exact `total`, however long counting takes. `count=none`: no `total`, which is fastest. `versions`, for documents: the version of each one, for `If-Match`. Separate several values with commas.',
    examples: ['count=exact'],
  }),
  Origin: Type.String({
    description:
      'The origin of the page; browsers set it automatically. Without it, the project’s `FRONTEND_URL` is used.',
    examples: ['https://app.example.com'],
  }),
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Makes it safe to retry the request: for 24 hours, the same key and body get the same response, and nothing is done twice.',
    examples: ['order-4711'],
  }),
  'X-Response-Format': Type.Unsafe<string>({
    type: 'string',
    enum: ['envelope', 'bare'],
    description:
      '`bare`: the body is only the value of `data`, and the pagination of a list is in headers. Without this header, the project’s setting `responseFormat` applies, which is `envelope` by default.',
  }),
} as const satisfies Record<string, TSchema>;

type KnownHeader = keyof typeof headers;

/** Headers that a handler may ask for. It sees no others: what a route honours is what the document says. */
export type TakenHeader = 'If-Match' | 'Prefer' | 'Origin' | 'Authorization';

export type TakenHeaders = Readonly<Record<string, string | undefined>>;

/** As Node names them. */
const sentAs: Readonly<Record<TakenHeader, string>> = {
  'If-Match': 'if-match',
  Prefer: 'prefer',
  Origin: 'origin',
  Authorization: 'authorization',
};

/** The headers that a route takes, of those that were sent. */
export function takeHeaders(taken: readonly TakenHeader[] = [], sent: IncomingHttpHeaders): TakenHeaders {
  let found: Record<string, string> | undefined;
  for (const name of taken) {
    const value = sent[sentAs[name]];
    if (value !== undefined) found = { ...found, [sentAs[name]]: String(value) };
  }
  return found ?? nothing;
}

const nothing: TakenHeaders = Object.freeze({});

/** How the document describes headers. Authorization is described as a credential. */
export function headerParameters(names: readonly (TakenHeader | KnownHeader)[]) {
  return names
    .filter((name) => name !== 'Authorization')
    .map((name) => ({ in: 'header' as const, name, schema: headers[name] }));
}
