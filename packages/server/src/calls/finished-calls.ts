import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../platform/errors.ts';
import { guarded, reporting } from '../platform/guarded.ts';
import type { HttpServer } from '../platform/http/server.ts';
import { type CallTimes, duringCall } from '../platform/tracing/current-call.ts';
import { isPreflight } from './gate/check-origin.ts';
import type { Principal } from './principal.ts';
import type { Project } from './project.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its address or its answer may hold secrets: of its calls only the route is logged. */
    isSecret?: boolean;
    /** It changes nothing, whatever its method. */
    isRead?: boolean;
    /** Its answer lasts as long as the connection. */
    staysOpen?: boolean;
  }
  interface FastifyRequest {
    /** Which project the call is for, and who makes it: also if it is then refused. */
    identified?: Identified | undefined;
  }
}

/** Whose call it is, as far as it is noted. */
interface Identified {
  readonly project: Project;
  readonly principal: Omit<Principal, 'account'> & { readonly account?: { readonly id: string } };
}

/** A call that is over, however it ended. */
export interface EndedCall extends Partial<Identified> {
  readonly id: string;
  /** The caller chose the id. */
  readonly isIdGiven: boolean;
  readonly method: string;
  /** The route as it was registered; undefined: there is none. */
  readonly route: string | undefined;
  readonly kind: 'read' | 'write' | 'auth';
  readonly isSecret: boolean;
  readonly staysOpen: boolean;
  /** Path and query, without the project's part. */
  readonly url: string;
  readonly address: string | undefined;
  readonly status: number;
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** What it has failed with. */
  readonly failure: Pick<AppError, 'code' | 'message'> | undefined;
}

/** A call of a project that is over. */
export type FinishedCall = EndedCall & Identified;

/** Whoever wants to know of every call, of projects and others. */
interface CallListener {
  begin(request: FastifyRequest): CallTimes;
  end(request: FastifyRequest, call: EndedCall): void;
}

/** The caller had gone before it was answered. */
const callerGone = 499;
const anonymous: Principal = { isTrusted: false };

/** Says for which project a call of an open route is. */
export function noteProject(request: FastifyRequest, project: Project): void {
  request.identified = { project, principal: anonymous };
}

/** Tells of every call of a project once it is over. Whatever the listener does, the call has its answer. */
export function onFinishedCalls(
  app: HttpServer,
  heard: (call: FinishedCall) => void,
  watch?: CallListener,
): void {
  app.decorateRequest('identified', undefined);
  app.decorateRequest('times', undefined);
  const failed = reporting(app.log, 'a finished request could not be recorded');
  app.addHook('onRequest', (request, reply, done) => {
    // Taken now: a request that is destroyed lets go of its socket.
    const { socket } = request.raw;
    const { bytesRead, bytesWritten } = socket;
    const finish = () => {
      if (!watch && !request.identified) return;
      const call = describe(request, reply, {
        read: socket.bytesRead - bytesRead,
        written: socket.bytesWritten - bytesWritten,
      });
      watch?.end(request, call);
      // Browsers ask before many calls; that is worth noting only if it is what fails.
      if (isOfProject(call) && (call.status >= 400 || !isPreflight(request))) heard(call);
    };
    reply.raw.once('close', guarded(failed, finish));
    if (watch) duringCall(watch.begin(request), done);
    else done();
  });
  if (!watch) return;
  // A body arrives by events of its connection, which belong to no call.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.times && request.method !== 'GET') duringCall(request.times, done);
    else done();
  });
}

const isOfProject = (call: EndedCall): call is FinishedCall => call.project !== undefined;

interface OfConnection {
  readonly read: number;
  readonly written: number;
}

function describe(request: FastifyRequest, reply: FastifyReply, bytes: OfConnection): EndedCall {
  const { id, method, url, identified } = request;
  const { config } = request.routeOptions;
  const status = statusOf(request, reply);
  return {
    id,
    isIdGiven: request.raw.headers['x-request-id'] === id,
    ...identified,
    method,
    route: config?.url,
    kind: kindOf(method, config),
    isSecret: config?.isSecret === true || config?.isPage === true,
    staysOpen: config?.staysOpen === true,
    url,
    address: request.ip,
    status,
    ms: reply.elapsedTime,
    bytesIn: bytesIn(request, bytes),
    bytesOut: bytesOut(method, reply, bytes),
    failure: request.failure,
  };
}

function statusOf({ ws }: FastifyRequest, { raw }: FastifyReply): number {
  if (raw.headersSent) return raw.statusCode;
  return ws ? 101 : callerGone;
}

function kindOf(
  method: string,
  config: (FastifyContextConfig & { url?: string }) | undefined,
): FinishedCall['kind'] {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || config?.isRead) return 'read';
  return config?.url?.startsWith('/auth-collections/') ? 'auth' : 'write';
}

/** Bytes of the body; where nobody has announced them, all that came. */
function bytesIn({ raw: { headers } }: FastifyRequest, { read }: OfConnection): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : read;
}

/** Bytes of the body; where nobody has announced them, or not all were taken, all that went. */
function bytesOut(method: string, reply: FastifyReply, { written }: OfConnection): number {
  const { raw, statusCode } = reply;
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return 0;
  const length = reply.getHeader('content-length');
  return raw.writableFinished && length !== undefined ? Number(length) : written;
}
