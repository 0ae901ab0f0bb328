import type { EventLog, Project, ProjectRoutes, Quotas } from '../calls/index.ts';
import { areSelfRolesOpen } from '../features/control/projects/index.ts';
import { addShapeRoutes } from '../features/data/collection-shapes/index.ts';
import {
  addCollectionRoutes,
  type CheckSettings,
  CollectionDirectory,
} from '../features/data/collections/index.ts';
import { AlikeLists, addDocumentRoutes, SharedLists } from '../features/data/documents/index.ts';
import { FieldNames } from '../features/data/field-names/index.ts';
import { addIndexRoutes, GrowthWatch, scheduleTending } from '../features/data/indexes/index.ts';
import { addLinkRoutes, LinkCatalogue } from '../features/data/links/index.ts';
import { ShapeLog } from '../features/data/query-shapes/index.ts';
import { checkSettings, DocumentSchemas, ReadingScopes } from '../features/data/rules/index.ts';
import { indexTasks } from '../features/data/tending/index.ts';
import type { FilesDeps } from '../features/files/records/index.ts';
import { userScope } from '../features/people/user-records/index.ts';
import { KeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import type { Log } from '../platform/log.ts';
import type { Engines } from './engines.ts';
import { getUserAsCaller, linkedLoader } from './linked-records.ts';

interface DataNeeds {
  readonly files: FilesDeps;
  readonly quotas: Quotas;
  readonly events: EventLog;
  readonly findProject: (id: string) => Promise<Project | undefined>;
  /** Rows are waiting to be removed. */
  readonly onDeleted: () => void;
  readonly log: Log;
}

/** Puts the data wing together. */
export function wireData(
  { cells, listeners, scans }: Engines,
  { files, quotas, events, findProject, onDeleted, log }: DataNeeds,
) {
  const collections = new CollectionDirectory(cells, listeners);
  const links = new LinkCatalogue(cells, listeners, { collections, users: userScope.table });
  const fieldNames = new FieldNames(cells, listeners);
  const scopes = new ReadingScopes(collections, links, userScope);
  const schemas = new DocumentSchemas();
  const check: CheckSettings = (context, collection) =>
    checkSettings({ scopes, schemas, areRolesOpen: areSelfRolesOpen }, context, collection);
  const loadLinked = linkedLoader(collections, scopes);
  const stopping = new AbortController();
  const shapes = new ShapeLog(cells, {
    log,
    onSlow: (project, collection) => scheduleTending({ db: cells.forProject(project), project }, collection),
  });
  return {
    fieldNames,
    collections,
    links,
    scopes,
    loadLinked,
    checkSettings: check,
    tasks: indexTasks({ cells, findProject, log, signal: stopping.signal }),
    addRoutes(routes: ProjectRoutes): void {
      addCollectionRoutes(routes, { directory: collections, quotas, onDeleted, checkSettings: check });
      addDocumentRoutes(routes, {
        collections,
        links,
        fieldNames,
        scopes,
        schemas,
        storage: files,
        quotas,
        scans,
        alike: new AlikeLists(scans),
        sharedLists: new SharedLists(),
        shapes,
        growth: new GrowthWatch(),
        events,
        documentLocks: new KeyedMutex(),
        loadLinked,
        getUser: getUserAsCaller,
      });
      addLinkRoutes(routes, { collections, links });
      addShapeRoutes(routes, { directory: collections, schemas });
      addIndexRoutes(routes, { directory: collections, quotas });
    },
    start: () => shapes.start(),
    /** Has long work on indexes break off; another node, or the next start, goes on with it. */
    breakOff: () => stopping.abort(),
    async stop(): Promise<void> {
      await shapes.stop();
      await schemas.stop();
    },
  };
}

export type DataWing = ReturnType<typeof wireData>;
