import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { reporting } from '../../platform/guarded.ts';
import { beginEventStream } from '../../platform/http/event-stream.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { describeManagementStream } from '../describe-route.ts';
import { queryStringOf, refuseBody } from '../route-input.ts';
import { contextOf } from './make-change.ts';
import type { Right } from './right.ts';
import type { ManagementStream, WatchHandler } from './routes.ts';

interface StreamDeps {
  readonly control: ControlDb;
  readonly right: Right;
  readonly route: ManagementStream;
}

/** Registers a route that tells what happens. */
export function addStream(app: HttpServer, { control, right, route }: StreamDeps, watch: WatchHandler): void {
  app.route({
    method: 'GET',
    url: route.url,
    // A stream has no head of its own that could be asked for.
    exposeHeadRoute: false,
    config: { right, describe: () => describeManagementStream(route, right) },
    schema: { ...(route.params && { params: route.params }) },
    preValidation: refuseBody,
    handler: (request, reply) =>
      tell(request, reply, route.event, (signal) =>
        watch(contextOf(request, control), queryStringOf(request), signal),
      ),
  });
}

/** Whoever is removed meanwhile is told no longer than this: the next call is refused. */
const streamMs = 60_000;

/** Tells what happens until the caller goes, or its time is over. */
async function tell(
  request: FastifyRequest,
  reply: FastifyReply,
  event: string,
  watch: (signal: AbortSignal) => Promise<AsyncIterable<object>>,
): Promise<void> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(streamMs)]);
  const events = await watch(signal);
  const { raw } = reply;
  const failed = reporting(request.log, 'an event stream failed and was closed', () => raw.destroy());
  beginEventStream(reply, failed, () => gone.abort());
  try {
    for await (const one of events)
      if (!raw.write(`event: ${event}\ndata: ${JSON.stringify(one)}\n\n`))
        await once(raw, 'drain', { signal });
  } catch (error) {
    if (!signal.aborted) failed(error);
  }
  raw.end();
}
