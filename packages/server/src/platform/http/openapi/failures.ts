import { type ErrorCode, errorCatalogue } from '@plinth/protocol';
import { type TSchema, Type } from 'typebox';
import type { ResponseHeader } from './response-headers.ts';

const reasons = {
  400: [
    'BadRequest',
    'A parameter or the body is invalid, or conflicts with what is stored',
    'invalid_query',
  ],
  401: ['Unauthorized', 'The credential is missing or invalid', 'credential_required'],
  403: ['Forbidden', 'The caller is not allowed to do this', 'rule_denied'],
  404: ['NotFound', 'It does not exist, or the caller is not allowed to see it', 'document_not_found'],
  413: ['TooLarge', 'The request is too large', 'body_too_large'],
  416: ['RangeNotSatisfiable', 'The range starts after the end of the file', 'range_not_satisfiable'],
  429: ['RateLimited', 'Too many requests; retry after `Retry-After` seconds', 'rate_limited'],
  500: ['ServiceFault', 'An error of the service; the request id identifies it in the log', 'internal_error'],
  503: ['Unavailable', 'Temporarily unavailable; nothing is wrong with the request', 'cell_full'],
} as const satisfies Record<number, readonly [name: string, description: string, example: ErrorCode]>;

type FailureStatus = keyof typeof reasons;

const codes = Object.keys(errorCatalogue) as ErrorCode[];
const statuses = Object.keys(reasons).map(Number) as FailureStatus[];

const details = Type.Object(
  {
    parameter: Type.Optional(Type.String({ description: 'The query parameter that caused the error.' })),
    path: Type.Optional(Type.String({ description: 'The location in the body: `body.settings.rules`.' })),
    index: Type.Optional(
      Type.Unknown({
        description: 'For a batch, the item, counted from 0; for a slow query, the index that would help.',
      }),
    ),
    field: Type.Optional(Type.String({ description: 'The field that caused the error.' })),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'The fields of a unique index.' })),
    limit: Type.Optional(Type.Integer({ description: 'The limit that was exceeded.' })),
    used: Type.Optional(Type.Integer({ description: 'How much of the quota is used.' })),
    quota: Type.Optional(Type.String({ description: 'The quota that is exhausted.' })),
  },
  { additionalProperties: true, description: 'Details for programs; which ones depends on `code`.' },
);

/** The body of every failure. */
export const failureSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.Unsafe<ErrorCode>({
        type: 'string',
        enum: codes,
        description:
          'What went wrong, for programs. New codes may be added: handle unknown ones by their status.',
      }),
      message: Type.String({ description: 'What happened and what to do, for people.' }),
      details: Type.Optional(details),
      requestId: Type.String({ description: 'The same as `X-Request-Id`.' }),
    }),
  },
  { $id: 'Failure', description: 'Every failure has this format, even if responses are bare.' },
);

const always: ResponseHeader[] = [
  'X-Request-Id',
  'Cache-Control',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The name under which the failures of a status are described. */
export function failureName(status: number): string {
  const known = statuses.find((one) => one === status);
  if (known === undefined) throw new Error(`No failure has the status ${status}.`);
  return reasons[known][0];
}

interface FailureResponse {
  readonly description: string;
  readonly headers: readonly ResponseHeader[];
  readonly content: Readonly<Record<string, TSchema>>;
}

/** The failures of each status, by name, with the codes they can have. */
export function failureResponses(): [name: string, response: FailureResponse][] {
  return statuses.map((status) => {
    const [name, reason, code] = reasons[status];
    const known = codes.filter((one) => errorCatalogue[one].status === status);
    const example = { success: false, error: { code, message: errorCatalogue[code].when, requestId } };
    return [
      name,
      {
        description: `${reason}. Codes: ${known.map((one) => `\`${one}\``).join(', ')}.`,
        headers: [
          ...always,
          ...(isPassing(status) ? (['Retry-After'] as const) : []),
          ...(status === 416 ? (['Content-Range'] as const) : []),
        ],
        content: { 'application/json': Type.Unsafe({ $ref: 'Failure#', examples: [example] }) },
      },
    ];
  });
}

const requestId = '0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f';

/** A call that fails like this may succeed later. */
function isPassing(status: FailureStatus): boolean {
  return status === 429 || status >= 500;
}
