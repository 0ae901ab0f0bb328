import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { LinkCatalogue, LoadLinked } from '../links/index.ts';
import type { RequestContext } from '../projects/index.ts';
import type { ReadingScopes } from '../rules/index.ts';
import type { StorageServices } from '../storage/index.ts';
import type { AccountFlows } from './account-flows.ts';
import type { Tokens } from './tokens.ts';

/** What app users need of the rest of the service. */
export interface AppUserServices {
  readonly tokens: Tokens;
  readonly links: LinkCatalogue;
  readonly scopes: ReadingScopes;
  readonly storage: StorageServices;
  readonly flows: AccountFlows;
  readonly counter: WindowCounter;
  readonly limits: { readonly addressPerMinute: number; readonly accountPerMinute: number };
  /** Reads linked records as this caller may see them. */
  readonly loadLinked: (context: RequestContext) => LoadLinked;
}
