import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../metrics/registry.ts';
import type { HttpServer } from './server.ts';

const lookEveryMs = 20;
/** Stalls longer than this are in the log. */
const worthSayingMs = 200;

/** Measures how long the event loop is kept from its work, and by which route, as far as one can tell. */
export function watchEventLoop(app: HttpServer, metrics: Registry, log: Pick<Log, 'info' | 'error'>): void {
  let route = '';
  let longestMs = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preHandler', (request, _reply, done) => {
    route = `${request.method} ${request.routeOptions.url ?? ''}`;
    done();
  });
  const watch = () => {
    let lookedAt = performance.now();
    const look = () => {
      const now = performance.now();
      const stallMs = now - lookedAt - lookEveryMs;
      lookedAt = now;
      longestMs = Math.max(longestMs, stallMs);
      if (stallMs < worthSayingMs || route === '') return;
      const what = { stallMs: Math.round(stallMs), route };
      // No warning: a machine that is busy with something else looks the same.
      log.info(what, 'the event loop was blocked; the route is the one started last');
    };
    const failed = reporting(log, 'stalls of the event loop could not be measured');
    timer = setInterval(guarded(failed, look), lookEveryMs).unref();
  };
  // Before it serves anybody, a node may take its time.
  app.addHook('onListen', (done) => {
    watch();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  metrics.gauge({
    name: 'plinth_event_loop_longest_stall_ms',
    help: 'Longest time the event loop was blocked since the last scrape.',
    read: () => {
      const since = longestMs;
      longestMs = 0;
      return Math.round(since);
    },
  });
}
