import type { FastifyRequest } from 'fastify';
import type { Log } from '../platform/log.ts';
import { Busiest } from '../platform/metrics/busiest.ts';
import type { Registry } from '../platform/metrics/registry.ts';
import type { CallTimes } from '../platform/tracing/current-call.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { EndedCall } from './finished-calls.ts';

interface CallWatchOptions {
  readonly metrics: Registry;
  readonly tracing: Tracing;
  /** Calls that take longer are logged; 0: none are. */
  readonly slowMs: number;
  readonly log: Pick<Log, 'warn'>;
}

/** Lines about slow and failed calls in a second: while a database is away all calls are such. */
const mostLines = 20;
const unknownRoute = 'unknown';

/** Measures every call: for operators, in the log where it was slow or failed, and in traces. */
export class CallWatch {
  readonly #options: CallWatchOptions;
  readonly #metrics: ReturnType<typeof callMetrics>;
  #inFlight = 0;
  #second = 0;
  #lines = 0;

  constructor(options: CallWatchOptions) {
    this.#options = options;
    this.#metrics = callMetrics(options.metrics);
    options.metrics.gauge({
      name: 'plinth_http_in_flight',
      help: 'Requests in progress, excluding live connections.',
      scope: 'node',
      read: () => this.#inFlight,
    });
  }

  begin(request: FastifyRequest): CallTimes {
    const times = this.#options.tracing.begin(request.raw.headers.traceparent);
    request.times = times;
    if (!staysOpen(request)) this.#inFlight += 1;
    return times;
  }

  end(request: FastifyRequest, call: EndedCall): void {
    const { times } = request;
    const isLong = staysOpen(request);
    if (!isLong) this.#inFlight -= 1;
    this.#measure(request, call, isLong);
    if (!times) return;
    this.#log(call, times, isLong);
    if (times.tracer) this.#trace(call, times);
  }

  #measure(request: FastifyRequest, call: EndedCall, isLong: boolean): void {
    const { requests, seconds, errors, rateLimited, bytes, byProject } = this.#metrics;
    const { method, status, project, failure, bytesIn, bytesOut } = call;
    const route = call.route ?? unknownRoute;
    requests.add(1, route, method, String(status));
    if (!isLong) seconds.observe(call.ms / 1000, route, method);
    if (failure) errors.add(1, failure.code);
    if (failure?.code === 'rate_limited') rateLimited.add(1, project?.tier ?? 'none');
    const kind = isOfFiles(request) ? 'file' : 'other';
    if (bytesIn > 0) bytes.add(bytesIn, 'in', kind);
    if (bytesOut > 0) bytes.add(bytesOut, 'out', kind);
    if (!project) return;
    byProject.calls.add(project.ref, 1);
    byProject.database.add(project.ref, (request.times?.databaseMs ?? 0) / 1000);
    byProject.bytes.add(project.ref, bytesIn + bytesOut);
  }

  #log(call: EndedCall, { poolWaitMs, databaseMs, traceId }: CallTimes, isLong: boolean): void {
    const { slowMs, log } = this.#options;
    const { id, method, route, status, ms, project, failure } = call;
    // What the code of a project has thrown is in its own log.
    const isFailed = status >= 500 && !failure?.code.startsWith('function_');
    const isSlow = slowMs > 0 && ms > slowMs && !isLong;
    if ((!isFailed && !isSlow) || !this.#hasRoom()) return;
    const where = {
      reqId: id,
      ...(traceId !== undefined && { traceId }),
      ...(project && { project: project.ref, cell: project.cell }),
      method,
      route: route ?? unknownRoute,
      status,
      ...(failure && { code: failure.code }),
      ms: Math.round(ms),
      poolWaitMs: Math.round(poolWaitMs),
      databaseMs: Math.round(databaseMs),
    };
    log.warn(where, isFailed ? 'a request failed' : 'a slow request');
  }

  /** One line says how many more there were. */
  #hasRoom(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      const leftOut = this.#lines - mostLines;
      if (leftOut > 0) this.#options.log.warn({ calls: leftOut }, 'more requests were slow or failed');
      this.#second = second;
      this.#lines = 0;
    }
    this.#lines += 1;
    return this.#lines <= mostLines;
  }

  #trace(call: EndedCall, times: CallTimes): void {
    const { id, method, route, status, ms, project, failure } = call;
    this.#options.tracing.end(times, {
      name: `${method} ${route ?? unknownRoute}`,
      isFailed: status >= 500,
      ms,
      attributes: {
        'http.request.method': method,
        'http.route': route ?? unknownRoute,
        'http.response.status_code': status,
        'plinth.request_id': id,
        ...(project && { 'plinth.project': project.ref, 'plinth.cell': project.cell }),
        ...(failure && { 'error.type': failure.code }),
      },
    });
  }
}

const staysOpen = ({ ws, routeOptions: { config } }: FastifyRequest): boolean =>
  ws || config?.staysOpen === true || config?.isSocket === true;

const isOfFiles = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config?.countsAs === 'file' || config?.readForm !== undefined || config?.takesAnything === true;

function callMetrics(metrics: Registry) {
  const busiest = (name: string, help: string) => new Busiest(metrics, { name, help, label: 'project' });
  return {
    requests: metrics.counter({
      name: 'plinth_http_requests_total',
      help: 'Completed requests, by registered route, method and status.',
      labels: ['route', 'method', 'status'],
    }),
    seconds: metrics.histogram({
      name: 'plinth_http_request_seconds',
      help: 'Request duration, excluding live connections.',
      labels: ['route', 'method'],
    }),
    errors: metrics.counter({
      name: 'plinth_http_errors_total',
      help: 'Failed requests, by error code.',
      labels: ['code'],
    }),
    rateLimited: metrics.counter({
      name: 'plinth_rate_limited_total',
      help: 'Requests rejected by rate limits, by the tier of the project.',
      labels: ['tier'],
    }),
    bytes: metrics.counter({
      name: 'plinth_http_bytes_total',
      help: 'Bytes of request and response bodies; file routes are counted separately.',
      labels: ['direction', 'kind'],
    }),
    byProject: {
      calls: busiest(
        'plinth_project_calls_per_second',
        'Requests per second of the 20 projects that make the most, over the last one or two minutes.',
      ),
      database: busiest(
        'plinth_project_database_seconds_per_second',
        'Time per second that requests waited for PostgreSQL, for the 20 projects that waited the most.',
      ),
      bytes: busiest(
        'plinth_project_bytes_per_second',
        'Bytes in and out per second of the 20 projects that transfer the most.',
      ),
    },
  };
}
