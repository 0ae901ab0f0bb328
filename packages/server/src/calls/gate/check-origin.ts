import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../platform/errors.ts';
import type { Project } from '../project.ts';
import { originNotAllowed } from './errors.ts';

const exposedHeaders =
  'ETag, Link, Retry-After, X-Request-Id, X-Total-Count, X-Total-Floor, X-Versions, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Idempotency-Replayed, X-Function-Run';

/** Whose pages may call projects that do not list their origins. */
export interface OriginPolicy {
  /** The origins of the service itself. */
  readonly own: ReadonlySet<string>;
  /** May every page that this machine serves call every project? Only while an app is developed on it. */
  readonly isLocalAllowed: boolean;
  /** Hears of every page that is refused. */
  readonly onRefused?: (origin: string, project: Project) => void;
}

/**
 * Lets a browser page in if its origin is listed by the project or allowed by the policy. Calls without an Origin do
 * not come from a page and pass. A call whose project is not known gets no permission to be read.
 */
export function checkOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  project: Project | undefined,
  policy: OriginPolicy,
): AppError | undefined {
  reply.header('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !project) return undefined;
  if (!isOriginAllowed(origin, project, policy)) return originNotAllowed(origin);
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', exposedHeaders);
  return undefined;
}

export function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.headers.origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined
  );
}

/** A preflight that names no project is granted: the call that follows is checked when its project is known. */
export async function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  project: Project | undefined,
  policy: OriginPolicy,
): Promise<void> {
  const failure = checkOrigin(request, reply, project, policy);
  if (failure) throw failure;
  await reply
    .code(200)
    .header('Vary', 'Origin, Access-Control-Request-Headers')
    .header('Access-Control-Allow-Origin', request.headers.origin)
    .header('Access-Control-Allow-Methods', 'GET, POST, PATCH, PUT, DELETE')
    .header('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '')
    .header('Access-Control-Max-Age', '600')
    .send('');
}

/** May pages of the origin use the project? */
export function isOriginAllowed(
  origin: string,
  project: Project,
  { own, isLocalAllowed, onRefused }: OriginPolicy,
): boolean {
  const isAllowed =
    project.allowedOrigins.includes(origin) || own.has(origin) || (isLocalAllowed && isLocal.test(origin));
  if (!isAllowed) onRefused?.(origin, project);
  return isAllowed;
}

const isLocal = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
