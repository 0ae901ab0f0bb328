import { randomUUID } from 'node:crypto';
import { Server } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../../calls/index.ts';
import { AppError } from '../../../../platform/errors.ts';
import { fromEngine } from '../../../../platform/http/error-handler.ts';
import { isUuid } from '../../records/index.ts';
import type { UploadsDeps } from '../deps.ts';
import { ResumableUploads } from './resumable-uploads.ts';
import { UploadLocks } from './upload-locks.ts';

export const resumablePath = '/storage/resumable';

/** Answers a call of the tus protocol (https://tus.io). Only its errors are worded as everywhere in the service. */
export async function serveResumable(
  deps: UploadsDeps,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const uploads = new ResumableUploads(deps, context);
  const named = idIn(request.params);
  // Before anything is locked: nobody may disturb an upload that is not theirs.
  if (named !== undefined && request.method !== 'OPTIONS') await uploads.requireVisible(named);
  const [path = ''] = request.originalUrl.split('?', 1);
  const here = path.replace(/\/$/, '');
  const server = new Server({
    path: resumablePath,
    datastore: uploads,
    locker: new UploadLocks(context.db, deps.writers),
    // The gate has checked the origin.
    allowedOrigins: () => true,
    exposedHeaders: ['Plinth-File-Id'],
    namingFunction: () => randomUUID(),
    generateUrl: (_request, { id }) => `${here}/${id}`,
    getFileIdFromRequest: (_request, last) => (last !== undefined && isUuid(last) ? last : undefined),
    onUploadFinish: async (_request, { id }) => {
      await uploads.finish(id);
      return { headers: { 'Plinth-File-Id': id } };
    },
    onResponseError: (_request, error) => wordError(error, request),
  });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('X-Request-Id', request.id).setHeader('X-Content-Type-Options', 'nosniff');
  await server.handle(request.raw, reply.raw);
}

/** The id in the path of a call about one upload. */
function idIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('id' in params)) return undefined;
  return typeof params.id === 'string' ? params.id : undefined;
}

/** Words errors of the service; those of the protocol are left as they are. */
function wordError(error: Error | { status_code: number; body: string }, request: FastifyRequest) {
  if (!(error instanceof Error) || 'status_code' in error) return undefined;
  const known = error instanceof AppError ? error : fromEngine(error);
  if (!known) request.log.error({ err: error }, 'a resumable upload failed');
  const status = known?.status ?? 500;
  const body = {
    code: known?.code ?? 'internal_error',
    message:
      known?.message ??
      'Something went wrong on our side. Report the request id to whoever runs this server.',
    ...(known?.details !== undefined && { details: known.details }),
    requestId: request.id,
  };
  return { status_code: status, body: `${JSON.stringify({ success: false, error: body })}\n` };
}
