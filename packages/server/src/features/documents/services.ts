import type { CollectionDirectory } from '../collections/index.ts';
import type { LinkCatalogue, LoadLinked } from '../links/index.ts';
import type { RequestContext } from '../projects/index.ts';
import type { ReadingScopes } from '../rules/index.ts';

/** What documents need of the rest of the service. */
export interface DocumentServices {
  readonly collections: CollectionDirectory;
  readonly links: LinkCatalogue;
  readonly scopes: ReadingScopes;
  /** Reads linked records as this caller may see them. */
  readonly loadLinked: (context: RequestContext) => LoadLinked;
  /** The app user of that id, for explaining what it may do. */
  readonly findUser: (
    context: RequestContext,
    id: string,
  ) => Promise<RequestContext['principal']['user'] | undefined>;
}
