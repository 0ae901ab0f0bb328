import { AsyncLocalStorage } from 'node:async_hooks';

/** What a call waits for. */
export type Waited = 'pool wait' | 'statement' | 'redis' | 's3' | 'outbound';

/** Somebody who wants to know each piece of what a call waits for. Times are those of `performance.now()`. */
export interface Tracer {
  readonly traceId: string;
  note(kind: Waited, name: string, startedAt: number, endedAt: number): void;
}

/** Where the time of a call goes. */
export class CallTimes {
  poolWaitMs = 0;
  databaseMs = 0;
  /** The trace that the caller has named, whether it is recorded or not. */
  traceId: string | undefined;
  /** Undefined for calls that are not sampled: nearly all. */
  tracer: Tracer | undefined;

  note(kind: Waited, name: string, startedAt: number, endedAt: number): void {
    if (kind === 'pool wait') this.poolWaitMs += endedAt - startedAt;
    else if (kind === 'statement') this.databaseMs += endedAt - startedAt;
    this.tracer?.note(kind, name, startedAt, endedAt);
  }
}

/** The key under which the runtime carries the call along; it holds nothing itself. */
const current = new AsyncLocalStorage<CallTimes>();

/** The call that the running code works for, if it works for one. */
export const currentCall = (): CallTimes | undefined => current.getStore();

/** Does work for a call. */
export const duringCall = <Result>(call: CallTimes, work: () => Result): Result => current.run(call, work);

/** Does work that is of no single call, whoever has set it off. */
export const outsideCalls = <Result>(work: () => Result): Result => current.exit(work);

/** Does work that a call waits for, and notes how long it took if the call is traced. */
export async function traced<Result>(
  kind: Waited,
  name: () => string,
  work: () => Promise<Result>,
): Promise<Result> {
  const call = current.getStore();
  if (!call?.tracer) return work();
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    call.note(kind, name(), startedAt, performance.now());
  }
}
