/**
 * Leave to do work in a cell that need not be done by every process: looking for what is due, tidying, the job queue. A
 * few processes have it, so that what an idle deployment costs grows with its cells and not with its processes. Work must
 * bear to be done twice: somebody who was cut off may go on for some seconds.
 */
export interface Lease {
  readonly isHeld: boolean;
  /** Resolves when it is held, with a signal that says when it was lost; with undefined if it is no longer wanted. */
  held(stopping: AbortSignal): Promise<AbortSignal | undefined>;
}

/** For a process that shares its work with nobody. */
export const ownLease: Lease = {
  isHeld: true,
  held: async (stopping) => (stopping.aborted ? undefined : stopping),
};

/** Resolves when the signal has come. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
