import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import type { Counter } from '../metrics/instruments.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Span } from './span.ts';
import type { SpanSink } from './tracing.ts';

interface ExporterOptions {
  /** As OpenTelemetry writes it: `/v1/traces` is added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  /** To where the operator says. */
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** By what became of spans. */
  readonly spans: Counter;
  readonly log: Log;
}

const mostWaiting = 5000;
const mostInRequest = 512;
const flushEveryMs = 1000;
const patienceMs = 5000;
const warnEveryMs = 60_000;

/** Sends spans to a collector, as OTLP over HTTP with JSON. What cannot be sent is dropped and counted: calls never wait. */
export class OtlpExporter implements SpanSink {
  readonly #options: ExporterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #sending: Promise<void> | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ExporterOptions) {
    this.#options = options;
    const failed = reporting(options.log, 'traces could not be sent');
    this.#timer = setInterval(
      guarded(failed, () => this.flush()),
      flushEveryMs,
    ).unref();
  }

  add(spans: readonly Span[]): void {
    const room = mostWaiting - this.#waiting.length;
    this.#waiting.push(...spans.slice(0, room));
    if (spans.length > room) this.noteLeftOut(spans.length - Math.max(0, room));
  }

  noteLeftOut(count: number): void {
    this.#options.spans.add(count, 'dropped');
  }

  /** Sends what waits. Never fails. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.flush();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostInRequest);
      const isSent = await this.#send(batch);
      this.#options.spans.add(batch.length, isSent ? 'exported' : 'dropped');
      if (!isSent) return;
    }
  }

  async #send(spans: readonly Span[]): Promise<boolean> {
    const { endpoint, headers, outbound, version } = this.#options;
    try {
      const response = await outbound.fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(toOtlp(spans, version)),
        signal: AbortSignal.timeout(patienceMs),
      });
      if (!response.ok) this.#warn(`The collector returned ${response.status}.`);
      return response.ok;
    } catch (error) {
      this.#warn(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  #warn(why: string): void {
    const now = performance.now();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    this.#options.log.warn(
      { why },
      'traces could not be sent; they are dropped. See OTEL_EXPORTER_OTLP_ENDPOINT',
    );
  }
}

const kinds = { server: 2, client: 3 } as const;
const failedStatus = 2;

function toOtlp(spans: readonly Span[], version: string) {
  const service = { 'service.name': 'plinth', 'service.version': version };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(service) },
        scopeSpans: [{ scope: { name: 'plinth', version }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf(span: Span) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: attributesOf(span.attributes),
    ...(span.isFailed && { status: { code: failedStatus } }),
  };
}

/** More digits than a number has. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

function attributesOf(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.round(value)) },
  }));
}
