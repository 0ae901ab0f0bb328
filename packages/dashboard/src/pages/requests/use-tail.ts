import { useEffect, useReducer, useRef, useState } from 'react';
import { readEvents } from '../../api/event-stream.ts';
import { filterQuery, type RequestFilter, type RequestRecord } from '../../api/requests.ts';

/** More nobody reads, and the page stays quick. */
const mostHeld = 500;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;

export type TailState = 'connecting' | 'live' | 'away';

interface Held {
  readonly shown: readonly RequestRecord[];
  /** Came while somebody was reading. */
  readonly waiting: readonly RequestRecord[];
}

type Act = { readonly came: RequestRecord; readonly isPaused: boolean } | 'go on';

function hold({ shown, waiting }: Held, act: Act): Held {
  if (act === 'go on')
    return waiting.length === 0
      ? { shown, waiting }
      : { shown: [...waiting, ...shown].slice(0, mostHeld), waiting: [] };
  return act.isPaused
    ? { shown, waiting: [act.came, ...waiting].slice(0, mostHeld) }
    : { shown: [act.came, ...shown].slice(0, mostHeld), waiting };
}

/** The calls of a project as they come, the latest first. While it is paused they wait, and nothing moves. */
export function useTail(ref: string, filter: RequestFilter, isPaused: boolean) {
  const query = filterQuery(filter);
  const [held, dispatch] = useReducer(hold, { shown: [], waiting: [] });
  const [state, setState] = useState<TailState>('connecting');
  const paused = useRef(isPaused);
  useEffect(() => {
    paused.current = isPaused;
    if (!isPaused) dispatch('go on');
  }, [isPaused]);
  useEffect(() => {
    const going = new AbortController();
    const hear = (came: RequestRecord) => dispatch({ came, isPaused: paused.current });
    const path = `/projects/${ref}/requests/stream${query && `?${query}`}`;
    void follow({ path, signal: going.signal, setState, hear });
    return () => going.abort();
  }, [ref, query]);
  return { ...held, state };
}

interface Following {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly setState: (state: TailState) => void;
  readonly hear: (request: RequestRecord) => void;
}

/** The service ends each stream after a minute: then, and when the line was cut, it is asked again. */
async function follow({ path, signal, setState, hear }: Following): Promise<void> {
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    const beganAt = performance.now();
    try {
      await readEvents({
        path,
        event: 'request',
        signal,
        onOpen: () => {
          waitMs = firstWaitMs;
          setState('live');
        },
        onData: (data) => hear(data as RequestRecord),
      });
      // One that ends as soon as it begins is not asked for again and again.
      if (performance.now() - beganAt < firstWaitMs) throw new Error('The stream ended at once.');
    } catch {
      if (signal.aborted) return;
      setState('away');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(2 * waitMs, longestWaitMs);
    }
  }
}
