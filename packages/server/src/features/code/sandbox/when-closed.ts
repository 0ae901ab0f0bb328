import type { ServerResponse } from 'node:http';
import { guarded } from '../../../platform/guarded.ts';

/** Aborts when whoever asked has gone. */
export function whenClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once(
    'close',
    guarded(
      () => {},
      () => gone.abort(),
    ),
  );
  return gone.signal;
}
