import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, defineError } from '../errors.ts';
import { bodyNotJson, bodyTooLarge, invalidBody } from './errors.ts';

const internalError = defineError(
  'internal_error',
  () =>
    'Something went wrong on our side. Send the request id to whoever runs this server: the log has the cause.',
);
const engineUnavailable = defineError('engine_unavailable', () => ({
  message: 'A database or file store of the service cannot be reached just now. Try again in a few seconds.',
  headers: { 'Retry-After': '2' },
}));
const queryTooSlow = defineError(
  'query_too_slow',
  () => 'The query took too long. Narrow it with a filter, or ask for no exact count.',
);
const routeNotFound = defineError(
  'route_not_found',
  (method: string, path: string) => `There is no ${method} ${path}. The reference is at /docs.`,
);

/** Renders every failure. What is not an error of the catalogue is logged and hidden. */
export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const known = knownError(error, request);
  reply.header('Cache-Control', 'no-store');
  reply.code(known.status).headers(known.headers).type('application/json; charset=utf-8');
  return JSON.stringify({
    success: false,
    error: {
      code: known.code,
      message: known.message,
      ...(known.details !== undefined && { details: known.details }),
      requestId: request.id,
    },
  });
}

export function refuseUnknownRoute(request: FastifyRequest): never {
  const [path = ''] = request.url.split('?', 1);
  throw routeNotFound(request.method, path.slice(0, 200));
}

/** What the caller is told of a failure. Our own faults go to the log. */
export function knownError(error: unknown, request: FastifyRequest): AppError {
  const known = toAppError(error, request);
  if (known.status === 500) request.log.error({ err: error }, 'request failed');
  return known;
}

function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return internalError();
  return fromFastify(error, request) ?? fromEngine(error) ?? internalError();
}

function fromFastify(error: Error & Partial<FastifyError>, request: FastifyRequest): AppError | undefined {
  if (error.validation) {
    const [first] = error.validation;
    const at = `${error.validationContext ?? 'body'}${(first?.instancePath ?? '').replaceAll('/', '.')}`;
    const unknown = first?.params?.additionalProperty;
    const problem =
      typeof unknown === 'string'
        ? `does not take "${unknown.slice(0, 100)}"`
        : first?.message?.replace('NOT', 'not');
    return new AppError('invalid_body', `${at} ${problem ?? 'is not valid'}.`, { details: { path: at } });
  }
  switch (error.code ?? '') {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(`${Math.floor(request.routeOptions.bodyLimit / 1_048_576)} MB`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return bodyNotJson();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalidBody('The body does not have the length that Content-Length says.');
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? invalidBody(error.message)
        : undefined;
  }
}

const connectionFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);

const lostConnection =
  /^(Client has encountered a connection error|Client was closed|Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/** What the failure of an engine means to the caller; undefined: it is our own fault. */
export function fromEngine(error: Error): AppError | undefined {
  return fromPostgres(error) ?? fromS3(error);
}

/** Trouble of the store itself, or on the way to it. If the store refuses something, it is our own fault. */
function fromS3(error: Error & { $fault?: string; $metadata?: unknown }): AppError | undefined {
  if (error.$metadata === undefined) return undefined;
  return error.$fault === 'client' ? undefined : engineUnavailable();
}

/** SQLSTATE classes 22, 23 and 54 mean the values of the caller; 08, 40, 53 and 57P mean that an engine is away. */
export function fromPostgres(error: Error & { code?: string }): AppError | undefined {
  const state = error.code ?? '';
  if (state === '57014') return queryTooSlow();
  if (/^(22|23|54)[0-9A-Z]{3}$/.test(state)) {
    return invalidBody('A value in the call cannot be stored or compared.');
  }
  const away =
    connectionFaults.has(state) || /^(08|40|53|57P)/.test(state) || lostConnection.test(error.message);
  return away ? engineUnavailable() : undefined;
}
