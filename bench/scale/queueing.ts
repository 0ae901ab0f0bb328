/*
 * How long work waits for whoever does it. Rates are per second, times in seconds; a queue that gets more than it can do
 * never ends: its wait is infinite.
 */

/** Work of one kind: how often it comes, and how long it takes. */
export interface Stream {
  readonly rate: number;
  readonly seconds: number;
}

/**
 * M/G/1 (Pollaczek and Khinchine): one server, several kinds of work, each of which always takes about as long. That is an
 * event loop: one thread, to which a load balancer sends requests without knowing who is idle. With a single kind it is
 * M/D/1, which is Redis.
 */
export function waitForOne(streams: readonly Stream[]): number {
  const busy = streams.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0);
  if (busy >= 1) return Number.POSITIVE_INFINITY;
  const secondMoments = streams.reduce((sum, { rate, seconds }) => sum + rate * seconds ** 2, 0);
  return secondMoments / (2 * (1 - busy));
}

/**
 * M/M/c (Erlang C): several servers, one queue, work that takes very different times. That is PostgreSQL with its cores:
 * whichever is idle takes the next statement.
 */
export function waitForAny({ rate, seconds }: Stream, servers: number): number {
  const offered = rate * seconds;
  if (offered >= servers) return Number.POSITIVE_INFINITY;
  // Erlang B, step by step, since powers and factorials would soon be too large; then C from B.
  let blocked = 1;
  for (let n = 1; n <= servers; n += 1) blocked = (offered * blocked) / (n + offered * blocked);
  const waits = blocked / (1 - (offered / servers) * (1 - blocked));
  return (waits * seconds) / (servers - offered);
}
