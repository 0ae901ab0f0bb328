import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairSemaphore } from '../platform/concurrency/fair-semaphore.ts';
import { guarded, reporting } from '../platform/guarded.ts';
import { jsonBodyLimit } from '../platform/http/server.ts';
import type { RequestContext } from './context.ts';
import { tooManyLargeBodies } from './errors.ts';

/** So many at once, of all projects and of one: each may take sixteen megabytes, and as many again for its documents. */
const places = 8;
const share = 3;
const longestWaitMs = 10_000;

/** Bodies longer than an ordinary one, which projects send in turns. */
export class LargeBodies {
  readonly #turns = new FairSemaphore(places, share);

  /** Waits until it is the project’s turn, which lasts until the call is answered. */
  async admit({ project }: RequestContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const length = request.headers['content-length'];
    // Without a length, nobody knows.
    if (length !== undefined && Number(length) <= jsonBodyLimit) return;
    const leave = await this.#turns.enter(project.id, longestWaitMs);
    if (!leave) throw tooManyLargeBodies();
    if (reply.raw.destroyed || reply.raw.closed) leave();
    else
      reply.raw.once(
        'close',
        guarded(reporting(request.log, 'a large request body was not released'), leave),
      );
  }
}
