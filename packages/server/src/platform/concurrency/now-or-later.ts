/**
 * A value that is known already, or will be. What every request needs is nearly always in memory: a promise for each such
 * step would cost more than the step.
 */
export type NowOrLater<Value> = Value | Promise<Value>;

/** Goes on with a value: at once if it is known, otherwise when it is. Both ways, what `next` throws is the caller's. */
export function andThen<Value, Next>(
  value: NowOrLater<Value>,
  next: (value: Value) => NowOrLater<Next>,
): NowOrLater<Next> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- it is what comes next, not a callback
  return value instanceof Promise ? value.then(next) : next(value);
}
