import type { EventLog, Quotas, RequestContext, SignedInUser } from '../../../calls/index.ts';
import type { KeyedMutex } from '../../../platform/concurrency/keyed-mutex.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import type { FilesDeps } from '../../files/index.ts';
import type { CollectionDirectory } from '../collections/index.ts';
import type { FieldNames } from '../field-names/index.ts';
import type { GrowthWatch } from '../indexes/index.ts';
import type { LinkCatalogue, LoadLinked } from '../links/index.ts';
import type { ShapeLog } from '../query-shapes/index.ts';
import type { DocumentSchemas, ReadingScopes } from '../rules/index.ts';
import type { AlikeLists } from './alike-lists.ts';
import type { SharedLists } from './shared-lists.ts';

/** What documents need of the rest of the service. */
export interface DocumentDeps {
  readonly collections: CollectionDirectory;
  readonly links: LinkCatalogue;
  /** Remembers which fields documents have. */
  readonly fieldNames: FieldNames;
  readonly scopes: ReadingScopes;
  /** Checks documents against the schemas of their collections. */
  readonly schemas: DocumentSchemas;
  readonly storage: FilesDeps;
  /** How much a project may write. */
  readonly quotas: Quotas;
  /** For lists that may take long. */
  readonly scans: Scans;
  /** Reads those that differ in their values only together. */
  readonly alike: AlikeLists;
  /** Reads those that are the same once. */
  readonly sharedLists: SharedLists;
  /** Notes which lists take long. */
  readonly shapes: Pick<ShapeLog, 'note'>;
  /** Hears of new documents. */
  readonly growth: GrowthWatch;
  /** Knows who is told of what is written. */
  readonly events: EventLog;
  /** Changes of one document go one after the other, as they would only get in each other's way. */
  readonly documentLocks: KeyedMutex;
  /** Reads linked records as this caller may see them. */
  readonly loadLinked: (context: RequestContext) => LoadLinked;
  /** The app user of that id as a caller, for explaining what it may do; fails if there is none. */
  readonly getUser: (context: RequestContext, id: string) => Promise<SignedInUser>;
}
