import type { Log } from './log.ts';

type Failed = (error: unknown) => void;

/**
 * What sockets, streams, timers and other nodes call. Nobody catches what such a handler throws, and the process would
 * end, for all projects: so every handler is registered through this (`npm run check:source` looks for others). What it
 * throws, or what its promise rejects with, goes to `failed`, which closes what is concerned and nothing else.
 */
export function guarded<Arguments extends unknown[]>(
  failed: Failed,
  handle: (...given: Arguments) => unknown,
): (...given: Arguments) => void {
  return (...given) => {
    try {
      const result = handle(...given);
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

/** Logs that something failed, and closes what is concerned. */
export function reporting(log: Pick<Log, 'error'>, what: string, close?: () => void): Failed {
  return (error) => {
    log.error({ err: error }, what);
    close?.();
  };
}
