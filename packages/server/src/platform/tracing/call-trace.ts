import { randomBytes } from 'node:crypto';
import type { Tracer, Waited } from './current-call.ts';
import type { Span } from './span.ts';
import type { TraceParent } from './traceparent.ts';

/** Of one call: a loop over many statements must not make a trace that nobody can read. */
const mostSpans = 128;

/** Records what one call does. */
export class CallTrace implements Tracer {
  readonly traceId: string;
  readonly #spanId = randomBytes(8).toString('hex');
  readonly #parentId: string | undefined;
  readonly #spans: Span[] = [];
  /** Pieces that were left out. */
  leftOut = 0;

  constructor(parent: TraceParent | undefined) {
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.#parentId = parent?.spanId;
  }

  note(kind: Waited, name: string, startedAt: number, endedAt: number): void {
    if (this.#spans.length >= mostSpans) {
      this.leftOut += 1;
      return;
    }
    this.#spans.push({
      traceId: this.traceId,
      spanId: randomBytes(8).toString('hex'),
      parentId: this.#spanId,
      name: `${kind} ${name}`,
      kind: 'client',
      startedAt: performance.timeOrigin + startedAt,
      endedAt: performance.timeOrigin + endedAt,
      isFailed: false,
      attributes: {},
    });
  }

  /** All that was recorded, with the call itself. */
  end(call: Pick<Span, 'name' | 'attributes' | 'isFailed'> & { readonly ms: number }): Span[] {
    const endedAt = performance.timeOrigin + performance.now();
    const { ms, ...described } = call;
    const root: Span = {
      traceId: this.traceId,
      spanId: this.#spanId,
      parentId: this.#parentId,
      kind: 'server',
      startedAt: endedAt - ms,
      endedAt,
      ...described,
    };
    return [root, ...this.#spans];
  }
}
