import type { Quotas, RequestContext } from '../../../calls/index.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import type { LinkCatalogue, LoadLinked, ReadingScopes } from '../../data/index.ts';
import type { FilesDeps } from '../../files/index.ts';
import type { PasswordDeps } from '../passwords/index.ts';

/** What app users need of the rest of the service. */
export interface AppUserDeps extends PasswordDeps {
  readonly links: LinkCatalogue;
  readonly scopes: ReadingScopes;
  readonly scans: Scans;
  readonly storage: FilesDeps;
  /** How many users a project may have. */
  readonly quotas: Quotas;
  /** Reads linked records as this caller may see them. */
  readonly loadLinked: (context: RequestContext) => LoadLinked;
}
