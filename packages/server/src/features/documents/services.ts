import type { Scans } from '../../platform/db/scans.ts';
import type { InTurn } from '../../platform/in-turn.ts';
import type { CollectionDirectory } from '../collections/index.ts';
import type { ShapeLog } from '../indexes/index.ts';
import type { LinkCatalogue, LoadLinked } from '../links/index.ts';
import type { RequestContext, SignedInUser } from '../projects/index.ts';
import type { ReadingScopes } from '../rules/index.ts';
import type { StorageServices } from '../storage/index.ts';
import type { AlikeLists } from './alike-lists.ts';

/** What documents need of the rest of the service. */
export interface DocumentServices {
  readonly collections: CollectionDirectory;
  readonly links: LinkCatalogue;
  readonly scopes: ReadingScopes;
  readonly storage: StorageServices;
  /** For lists that may take long. */
  readonly scans: Scans;
  /** Reads those of one kind together. */
  readonly alike: AlikeLists;
  /** Notes which lists do. */
  readonly shapes: Pick<ShapeLog, 'note'>;
  /** Changes of one document go one after the other: they would only get in each other's way. */
  readonly changes: InTurn;
  /** Reads linked records as this caller may see them. */
  readonly loadLinked: (context: RequestContext) => LoadLinked;
  /** The app user of that id as a caller, for explaining what it may do; fails if there is none. */
  readonly getUser: (context: RequestContext, id: string) => Promise<SignedInUser>;
}
