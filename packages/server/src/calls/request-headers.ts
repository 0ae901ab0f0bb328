import type { IncomingHttpHeaders } from 'node:http';
import { type TSchema, Type } from 'typebox';

const headers = {
  'If-Match': Type.String({
    description:
      'The `ETag` of the version that the call relies on. If there is another one by now, nothing is changed: 400 `version_mismatch`.',
    examples: ['"3"'],
  }),
  Prefer: Type.String({
    description:
      '`count=exact`: the exact `total`, however long counting takes. `count=none`: no `total`, which is fastest. `versions`, for documents: which version each one is, for `If-Match`. Several are separated by commas.',
    examples: ['count=exact'],
  }),
  Origin: Type.String({
    description:
      'The page that asks; browsers send it by themselves. Without it, the project’s `FRONTEND_URL` counts.',
    examples: ['https://app.example.com'],
  }),
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Makes it safe to send the call again: for 24 hours the same key and body get the same answer, and nothing is done twice.',
    examples: ['order-4711'],
  }),
  'X-Response-Format': Type.Unsafe<string>({
    type: 'string',
    enum: ['envelope', 'bare'],
    description:
      '`bare`: the body is the value of `data` alone, and the figures of a list are in headers. Without it, the project’s setting `responseFormat` counts, which is `envelope` at first.',
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
