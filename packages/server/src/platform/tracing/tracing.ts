import { CallTrace } from './call-trace.ts';
import { CallTimes } from './current-call.ts';
import type { Span } from './span.ts';
import { readTraceParent } from './traceparent.ts';

/** Where spans go. */
export interface SpanSink {
  add(spans: readonly Span[]): void;
  /** Spans that were never made. */
  noteLeftOut(count: number): void;
  stop(): Promise<void>;
}

/** Any caller may ask to be traced: so many calls a second are, in one process. */
const mostPerSecond = 100;

/** Decides which calls are traced: those that whoever calls samples already, and a share of those that come without a trace. */
export class Tracing {
  readonly #sample: number;
  readonly #sink: SpanSink | undefined;
  #second = 0;
  #left = mostPerSecond;

  constructor(sample: number, sink?: SpanSink) {
    this.#sample = sample;
    this.#sink = sink;
  }

  begin(traceparent: string | string[] | undefined): CallTimes {
    const times = new CallTimes();
    if (traceparent === undefined && (this.#sample === 0 || !this.#sink)) return times;
    const parent = readTraceParent(traceparent);
    times.traceId = parent?.traceId;
    const isSampled = parent ? parent.isSampled : this.#sample > 0 && Math.random() < this.#sample;
    if (!isSampled || !this.#sink || !this.#takePlace()) return times;
    const trace = new CallTrace(parent);
    times.traceId = trace.traceId;
    times.tracer = trace;
    return times;
  }

  end({ tracer }: CallTimes, call: Parameters<CallTrace['end']>[0]): void {
    if (!(tracer instanceof CallTrace)) return;
    this.#sink?.add(tracer.end(call));
    if (tracer.leftOut > 0) this.#sink?.noteLeftOut(tracer.leftOut);
  }

  async stop(): Promise<void> {
    await this.#sink?.stop();
  }

  #takePlace(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) this.#left = mostPerSecond;
    this.#second = second;
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
