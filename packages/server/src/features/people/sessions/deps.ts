import type { WindowCounter } from '../../../platform/counters/window-counter.ts';
import type { Tokens } from '../tokens/index.ts';
import type { UserFlows } from '../user-records/index.ts';

/** What sessions need of the rest of the service. */
export interface SessionDeps {
  readonly tokens: Tokens;
  readonly flows: UserFlows;
  readonly counter: WindowCounter;
  readonly limits: { readonly addressPerMinute: number; readonly userPerMinute: number };
}
