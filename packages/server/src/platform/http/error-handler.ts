import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isAway, isTimeout } from '../db/failures.ts';
import { AppError, defineError } from '../errors.ts';
import type { CallTimes } from '../tracing/current-call.ts';
import { bodyNotJson, bodyTooLarge, invalidBody } from './errors.ts';
import type { FaultLog } from './fault-log.ts';
import type { KnownRoutes } from './known-routes.ts';
import { validationProblem } from './validation-problem.ts';

const internalError = defineError(
  'internal_error',
  () =>
    'Something went wrong on our side. Report the request id to whoever runs this server: the log has the cause.',
);
const engineUnavailable = defineError('engine_unavailable', () => ({
  message:
    'A database or file store of the service cannot be reached at the moment. Try again in a few seconds.',
  headers: { 'Retry-After': '1' },
}));
const queryTooSlow = defineError(
  'query_too_slow',
  () => 'The query took too long. Narrow it with a filter, or skip the exact count.',
);
const routeNotFound = defineError(
  'route_not_found',
  (method: string, path: string, others: readonly string[]) =>
    others.length === 0
      ? `There is no ${method} ${path}. The reference is at /docs.`
      : `There is no ${method} ${path}, only ${others.join(', ')}. The reference is at /docs.`,
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

/** Refuses calls that no route takes, and names the methods that the path has. */
export function unknownRoutes(routes: KnownRoutes): (request: FastifyRequest) => never {
  return (request) => {
    const [path = ''] = request.url.split('?', 1);
    throw routeNotFound(request.method, path.slice(0, 200), routes.methodsOf(path));
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly engineFaults: FaultLog;
  }
  interface FastifyRequest {
    /** What the call has failed with. */
    failure?: AppError | undefined;
    /** Where the time of the call goes. */
    times?: CallTimes | undefined;
  }
}

/** Code of the project has failed, not ours: its own log has it. */
const isOfProject = ({ code }: AppError): boolean => code.startsWith('function_');

/** What the caller is told of a failure. Our own faults go to the log. */
export function knownError(error: unknown, request: FastifyRequest): AppError {
  const known = ofItem(toAppError(error, request), request);
  request.failure = known;
  if (known.code === 'engine_unavailable') request.server.engineFaults.note(error);
  else if (known.status === 500 && !isOfProject(known))
    request.log.error({ err: error, ...traceOf(request) }, 'request failed');
  return known;
}

/** Which trace the call belongs to, where the caller has said so. */
function traceOf({ times }: FastifyRequest): { traceId?: string } {
  return times?.traceId === undefined ? {} : { traceId: times.traceId };
}

/** Of a batch, what is said of a place in its list is said of an item. */
function ofItem(error: AppError, request: FastifyRequest): AppError {
  if (!request.routeOptions?.config?.checkItems || !isPlaced(error.details)) return error;
  const index = /^(?:body\.)?\w+\.(\d+)(?:\.|$)/.exec(error.details.path)?.[1];
  if (index === undefined) return error;
  return new AppError(error.code, error.message, { details: { ...error.details, index: Number(index) } });
}

function isPlaced(details: unknown): details is { path: string } {
  return (
    typeof details === 'object' && details !== null && 'path' in details && typeof details.path === 'string'
  );
}

function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return internalError();
  // A write has little to do: if its time is over, it waited for what others hold, or for the disk.
  if (isTimeout(error) && !/^(?:GET|HEAD)$/.test(request.method)) return engineUnavailable();
  return fromFastify(error, request) ?? fromEngine(error) ?? internalError();
}

function fromFastify(error: Error & Partial<FastifyError>, request: FastifyRequest): AppError | undefined {
  if (error.validation) {
    const [first] = error.validation;
    const part = error.validationContext ?? 'body';
    const at = `${part}${(first?.instancePath ?? '').replaceAll('/', '.')}`;
    const schema = request.routeOptions.schema?.body;
    const problem = first ? validationProblem(part, first, schema) : 'The body is not valid.';
    return new AppError('invalid_body', problem, { details: { path: at } });
  }
  switch (error.code ?? '') {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(`${Math.floor(request.routeOptions.bodyLimit / 1_048_576)} MB`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return bodyNotJson();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalidBody('The length of the body does not match Content-Length.');
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? invalidBody(error.message)
        : undefined;
  }
}

/** What the failure of an engine means to the caller; undefined: it is our own fault. */
export function fromEngine(error: Error): AppError | undefined {
  return fromPostgres(error) ?? fromS3(error);
}

/** Trouble of the store itself, or on the way to it. If the store refuses something, it is our own fault. */
function fromS3(error: Error & { $fault?: string; $metadata?: unknown }): AppError | undefined {
  if (error.$metadata === undefined) return undefined;
  return error.$fault === 'client' ? undefined : engineUnavailable();
}

/** SQLSTATE classes 22, 23 and 54 mean the values of the caller. */
export function fromPostgres(error: Error & { code?: string }): AppError | undefined {
  const state = error.code ?? '';
  if (isTimeout(error)) return queryTooSlow();
  if (/^(22|23|54)[0-9A-Z]{3}$/.test(state)) {
    return invalidBody('A value in the request cannot be stored or compared.');
  }
  return isAway(error) ? engineUnavailable() : undefined;
}
