import type { LaneHealth } from './lane-store.ts';

/** So many failures in a row, and nothing is tried for a while. */
const failuresToPause = 10;
/** How long the first pause lasts, and the longest: each is twice the one before. */
const pauseMs = { first: 30_000, longest: 3_600_000 };
/** A subscriber that fails for so long is no longer served. */
const failingForMs = 5 * 24 * 3_600_000;

export const healthy: LaneHealth = { failures: 0, failingSince: null, pauses: 0 };

export function afterFailure({ failures, failingSince, pauses }: LaneHealth): LaneHealth {
  return { failures: failures + 1, failingSince: failingSince ?? new Date(), pauses };
}

/** Does only one delivery at a time show whether it works again? */
export function isProbed({ pauses }: LaneHealth): boolean {
  return pauses > 0;
}

export function needsPause({ failures }: LaneHealth): boolean {
  return failures >= failuresToPause;
}

export function pauseOf({ pauses }: LaneHealth): number {
  return Math.min(pauseMs.first * 2 ** pauses, pauseMs.longest);
}

export function isGivenUp({ failingSince }: LaneHealth): boolean {
  return failingSince !== null && Date.now() - failingSince.getTime() > failingForMs;
}

/** When a delivery that failed so often is tried again; undefined: it is dead. Spread, so that not all come at once. */
export function retryDelay(retriesS: readonly number[], attempts: number): number | undefined {
  const delay = retriesS[attempts - 1];
  return delay === undefined ? undefined : delay * (0.8 + Math.random() * 0.4);
}
