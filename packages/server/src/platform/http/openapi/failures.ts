import { type ErrorCode, errorCatalogue } from '@plinth/protocol';
import { type TSchema, Type } from 'typebox';
import type { ResponseHeader } from './response-headers.ts';

const reasons = {
  400: [
    'BadRequest',
    'A parameter or the body is not right, or does not fit what is stored',
    'invalid_query',
  ],
  401: ['Unauthorized', 'No credential, or one that is not valid', 'credential_required'],
  403: ['Forbidden', 'The caller may not do this', 'rule_denied'],
  404: ['NotFound', 'There is no such thing that the caller may see', 'document_not_found'],
  413: ['TooLarge', 'What was sent is too large', 'body_too_large'],
  416: ['RangeNotSatisfiable', 'The range lies beyond the end of the file', 'range_not_satisfiable'],
  429: ['RateLimited', 'Too many calls; go on after `Retry-After` seconds', 'rate_limited'],
  500: ['ServiceFault', 'A fault of the service; the request id finds it in the log', 'internal_error'],
  503: ['Unavailable', 'Not possible just now; nothing is wrong with the call', 'cell_full'],
} as const satisfies Record<number, readonly [name: string, description: string, example: ErrorCode]>;

type FailureStatus = keyof typeof reasons;

const codes = Object.keys(errorCatalogue) as ErrorCode[];
const statuses = Object.keys(reasons).map(Number) as FailureStatus[];

const details = Type.Object(
  {
    parameter: Type.Optional(Type.String({ description: 'The query parameter it is about.' })),
    path: Type.Optional(Type.String({ description: 'The place in the body: `body.settings.rules`.' })),
    index: Type.Optional(
      Type.Unknown({
        description: 'The item of a batch, counted from 0; of a slow query, the index that would help.',
      }),
    ),
    field: Type.Optional(Type.String({ description: 'The field it is about.' })),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'The fields of a unique index.' })),
    limit: Type.Optional(Type.Integer({ description: 'The most there may be.' })),
    used: Type.Optional(Type.Integer({ description: 'How much of a quota is used.' })),
    quota: Type.Optional(Type.String({ description: 'The quota that is used up.' })),
  },
  { additionalProperties: true, description: 'What a program can use of the message; it depends on `code`.' },
);

/** The body of every failure. */
export const failureSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.Unsafe<ErrorCode>({
        type: 'string',
        enum: codes,
        description: 'What went wrong, for programs. New codes may be added: treat others by their status.',
      }),
      message: Type.String({ description: 'What happened and what to do, for people.' }),
      details: Type.Optional(details),
      requestId: Type.String({ description: 'The same as `X-Request-Id`.' }),
    }),
  },
  { $id: 'Failure', description: 'Every failure has this form, also where answers are bare.' },
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
