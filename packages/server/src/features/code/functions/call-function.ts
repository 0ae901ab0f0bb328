import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiKeyRequired, credentialRequired } from '../../../calls/gate/index.ts';
import { type RequestContext, wantsBare } from '../../../calls/index.ts';
import type { AppError } from '../../../platform/errors.ts';
import { bodyTooLarge } from '../../../platform/http/errors.ts';
import { isNear } from '../../../platform/near-name.ts';
import type { SandboxAnswer } from '../sandbox/index.ts';
import {
  functionBusy,
  functionCrashed,
  functionFailed,
  functionNotFound,
  functionOutOfMemory,
  functionsOff,
  functionsUnreachable,
  functionTimedOut,
  hookDepth,
  mostDepth,
} from './errors.ts';
import type { FunctionRecord } from './function-record.ts';
import { type FunctionRuns, RunFailure } from './run-function.ts';

/** The request body of a function. @limit body_too_large bytes */
const largestBody = 6 * 1_048_576;
const largestBodyWords = '6 MB';

/** What belongs to the connection of the caller, or opens something in the service: code sees none of it. */
const notForCode = new Set(
  `connection keep-alive transfer-encoding upgrade te trailer expect cookie x-api-key content-length proxy-authorization proxy-connection`.split(
    ' ',
  ),
);
/** What code may not say in the name of the service: its pages share the origin, and who may read answers is a setting. */
const notFromCode = new Set(
  `connection keep-alive transfer-encoding upgrade te trailer date server set-cookie clear-site-data service-worker-allowed strict-transport-security alt-svc content-encoding content-length www-authenticate report-to reporting-endpoints nel x-request-id`.split(
    ' ',
  ),
);
/** A page that code answers runs in an origin of its own. */
const pagePolicy = 'sandbox allow-scripts allow-forms allow-popups allow-downloads allow-modals';

export interface CallDeps {
  readonly runs: FunctionRuns;
  /** Where people reach the service. */
  readonly address: () => string;
}

/** Answers `ANY /functions/{name}[/*]` with what the function answers. */
export async function callFunction(
  { runs, address }: CallDeps,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { name = '' } = request.params as { name?: string };
  const { project, principal } = context;
  const active = await runs.find(project);
  const one = active?.functions.get(name);
  if (!active || one?.kind !== 'http') throw functionNotFound(name, nearName(active?.functions, name));
  requireAccess(one, context);
  const { raw } = request;
  const isBare = wantsBare({ headers: raw.headers }, context);
  const { user } = principal;
  const body = new LimitedBody(raw);
  try {
    const answer = await runs.run(project, active, one, {
      kind: 'call',
      method: request.method,
      url: new URL(request.originalUrl, address()).href,
      headers: headersFor(raw),
      body: body.stream,
      ...(user && {
        user: { id: user.id, email: user.email, role: user.role, email_verified: user.email_verified },
      }),
      depth: depthOf(context),
      cause: request.id,
    });
    await send(reply, answer, isBare);
  } catch (error) {
    if (body.isTooLarge) throw bodyTooLarge(largestBodyWords);
    throw error instanceof RunFailure ? toAppError(one.name, error, principal.isTrusted) : error;
  }
}

/** How deep the calls of the function are: one that a function calls is one deeper. */
function depthOf({ principal: { code } }: RequestContext): number {
  const depth = code ? code.depth + 1 : 0;
  if (depth > mostDepth) throw hookDepth(mostDepth);
  return depth;
}

function nearName(
  functions: ReadonlyMap<string, FunctionRecord> | undefined,
  name: string,
): string | undefined {
  return Array.from(functions?.values() ?? []).find((one) => one.kind === 'http' && isNear(one.name, name))
    ?.name;
}

function requireAccess({ access = 'server' }: FunctionRecord, { principal }: RequestContext): void {
  if (principal.isTrusted || access === 'public') return;
  if (access === 'server') throw apiKeyRequired();
  if (!principal.user) throw credentialRequired();
}

function headersFor({ headers }: IncomingMessage): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notForCode.has(name)) kept[name] = value;
  // The service has read it; code that were given it could act as its caller.
  delete kept.authorization;
  return kept;
}

/** The body as it comes, as long as it is not too long. */
class LimitedBody {
  readonly stream: Readable | null;
  isTooLarge = false;

  constructor(raw: IncomingMessage) {
    const length = Number(raw.headers['content-length'] ?? 0);
    if (length > largestBody) throw bodyTooLarge(largestBodyWords);
    const isEmpty = length === 0 && raw.headers['transfer-encoding'] === undefined;
    this.stream = isEmpty || raw.method === 'GET' || raw.method === 'HEAD' ? null : this.#counted(raw);
  }

  #counted(raw: IncomingMessage): Readable {
    let bytes = 0;
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        this.isTooLarge = bytes > largestBody;
        done(this.isTooLarge ? new Error('The body is too large.') : null, chunk);
      },
    });
    return pipeline(raw, counted, () => {});
  }
}

function send(
  reply: FastifyReply,
  answer: SandboxAnswer & { readonly run: string },
  isBare: boolean,
): FastifyReply {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !notFromCode.has(name) && !name.startsWith('access-control-'))
      headers[name] = value;
  const own = [headers['content-security-policy'] ?? []].flat();
  reply
    .code(answer.status)
    .header('Cache-Control', 'no-store')
    .headers({
      ...headers,
      'content-security-policy': [...own, pagePolicy].join(', '),
      'x-content-type-options': 'nosniff',
      'x-function-run': answer.run,
    });
  if (!answer.isValue || isBare) return reply.send(answer.body);
  return reply.type('application/json; charset=utf-8').send(Readable.from(enveloped(answer.body)));
}

async function* enveloped(body: Readable): AsyncGenerator<string | Buffer> {
  yield '{"success":true,"data":';
  for await (const chunk of body) yield chunk as Buffer;
  yield '}';
}

/** What a caller is told: why it failed in detail only whom the project trusts. */
function toAppError(name: string, failure: RunFailure, isTrusted: boolean): AppError {
  const { run, outcome, message, thrown, seconds } = failure;
  switch (outcome) {
    case 'off':
      return functionsOff(message);
    case 'busy':
      return functionBusy(name, message);
    case 'unreachable':
      return functionsUnreachable(name);
    case 'timed_out':
      return functionTimedOut(name, run, seconds);
    case 'out_of_memory':
      return functionOutOfMemory(name, run, message);
    case 'crashed':
      return functionCrashed(name, run);
    case 'refused':
    case 'failed':
      return functionFailed(name, run, isTrusted ? thrown : undefined);
  }
}
