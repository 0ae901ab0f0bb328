import { type ProjectDirectory, type ProjectRoutes, Quotas, readTiers } from '../calls/index.ts';
import { addConfigurationRoutes } from '../features/configuration/index.ts';
import { findKey, KeyUses } from '../features/control/api-keys/index.ts';
import { addJobRoutes } from '../features/control/jobs/index.ts';
import { CachedProjectDirectory, removeDueProjects } from '../features/control/projects/index.ts';
import { addUsageRoutes } from '../features/control/usage/index.ts';
import { collectionSchema, listCollections } from '../features/data/collections/index.ts';
import { documentSchema } from '../features/data/documents/index.ts';
import { indexSchema } from '../features/data/indexes/index.ts';
import { listOwnTables } from '../features/data/placement/index.ts';
import { addDeliveryRoutes, ImageVariants } from '../features/files/delivery/index.ts';
import { ImageResizer } from '../features/files/images/index.ts';
import {
  addFileRoutes,
  type FilesDeps,
  FileUrls,
  fileSchema,
  readUsage,
} from '../features/files/records/index.ts';
import { addUploadRoutes, DirectPuts, UploadWriters } from '../features/files/uploads/index.ts';
import { serverMessageSchema } from '../features/live/transports/index.ts';
import { addDevMailbox } from '../features/people/dev-mailbox/index.ts';
import { addPublishedKeys } from '../features/people/tokens/index.ts';
import { profileSchema, userSchema } from '../features/people/user-records/index.ts';
import { deleteProjectData } from '../features/project-data/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { HttpServer } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { Addresses } from './addresses.ts';
import type { DevOptions } from './dev-options.ts';
import type { Engines } from './engines.ts';
import { Housekeeping } from './housekeeping.ts';
import { holdingsOf, quotaSources } from './quota-sources.ts';
import { tables } from './tables.ts';
import { requestLogDays, wireCalls } from './wire-calls.ts';
import { wireCode } from './wire-code.ts';
import { wireData } from './wire-data.ts';
import { wireDeliveries } from './wire-deliveries.ts';
import { wireLive } from './wire-live.ts';
import { wireManagement } from './wire-management.ts';
import { wirePeople } from './wire-people.ts';

/** What the OpenAPI document calls by name. */
export const schemas = [
  collectionSchema,
  documentSchema,
  indexSchema,
  userSchema,
  profileSchema,
  fileSchema,
  serverMessageSchema,
];

/** Collections whose names the list of jobs knows. */
const mostNamedCollections = 1000;

/** Puts the features of a node together: each wing gets what it needs of the others. */
export function createFeatures(
  config: Config,
  engines: Engines,
  { addresses, dev, log }: { addresses: Addresses; dev: DevOptions | undefined; log: Log },
) {
  const { cells, cellSizes, vault, blobs, lookups, controlListener } = engines;
  const tiers = readTiers(config.TIERS);
  const projects = new CachedProjectDirectory(lookups, controlListener, { tiers, findKey });
  const keyUses = new KeyUses(engines.control, log);
  const quotas = new Quotas({
    cells,
    sources: quotaSources,
    isFull: (cell) => cellSizes.isFull(cell),
  });
  const findProject = (id: string) => projects.findById(id);
  const housekeeping = new Housekeeping({
    cells,
    blobs,
    log,
    tables,
    findProject,
    removeDue: (isStopped) =>
      removeDueProjects(
        engines.control,
        cells,
        (project, cells) => deleteProjectData(project, cells, tables),
        isStopped,
      ),
    requestLogDays: requestLogDays(config, tiers),
    leaseOf: (cell) => engines.leaseOf('housekeeping', cell),
    holdingsOf,
  });
  const files: FilesDeps = {
    blobs,
    vault,
    urls: new FileUrls(
      () => addresses.files,
      () => addresses.service,
    ),
    requireRoom: (project) => quotas.requireRoom(project),
    onLoose: () => housekeeping.soon(),
  };
  const events = wireDeliveries(config, engines, {
    findByRef: (ref) => projects.findByRef(ref),
    tellDisabled: (disabled) => management.tellDisabled(disabled),
    log,
  });
  const { deliveries } = events;
  const data = wireData(engines, {
    files,
    quotas,
    events: deliveries,
    findProject,
    onDeleted: () => housekeeping.soon(),
    log,
  });
  const people = wirePeople(config, engines, {
    data,
    files,
    quotas,
    events: deliveries,
    addresses,
    dev,
    findProject,
  });
  const calls = wireCalls(config, engines, {
    findProject: (ref) => projects.findByRef(ref),
    isDev: dev !== undefined,
    log,
  });
  const management = wireManagement(config, engines, {
    projects,
    passwords: people.passwords,
    addresses,
    dev,
    log,
    addOthers: (routes) => events.addRoutes(routes),
    insight: {
      tail: calls.tail,
      open: async (ref) => {
        const project = await projects.findByRef(ref);
        return project && { project, db: cells.forProject(project) };
      },
      fieldsOf: async (project, number) => (await data.fieldNames.allOf({ project }, number)) ?? new Set(),
    },
  });
  const { subscribers } = events;
  const code = wireCode(config, engines, { findProject, deliveries, subscribers, addresses, dev, log });
  const live = wireLive(config, engines, {
    projects,
    keyUses,
    data,
    people,
    accounts: management.directory,
    addresses,
    log,
  });
  return {
    projects,
    calls,
    keyUses,
    quotas,
    data,
    people,
    code,
    events,
    gateway: live.gateway,
    survey: live.survey,
    housekeeping,
    management,
    tasks: { ...people.tasks, ...data.tasks, ...management.tasks },
    addRoutes(http: HttpServer, routes: ProjectRoutes): void {
      data.addRoutes(routes);
      addFilesWing(http, routes, { config, engines, files, projects });
      people.addRoutes(routes);
      code.addRoutes(routes);
      addUsageRoutes(routes, {
        quotas,
        others: {
          storageBytes: async (db) => (await readUsage(db)).bytes,
          ownTables: async (db) => (await listOwnTables(db, null)).length,
        },
      });
      addJobRoutes(routes, {
        collectionNames: async (db) => {
          const collections = await listCollections(db, { limit: mostNamedCollections, offset: 0 });
          return new Map(collections.map(({ number, name }) => [number, name]));
        },
      });
      addConfigurationRoutes(routes, {
        control: lookups,
        directory: data.collections,
        checkSettings: data.checkSettings,
        quotas,
        onDeleted: () => housekeeping.soon(),
        caughtUp: () => engines.caughtUp(1),
      });
      live.addRoutes(http, routes);
      if (dev?.mailFolder !== undefined) addDevMailbox(http, dev.mailFolder);
      addPublishedKeys(http, people.keys);
      management.addRoutes(http);
    },
  };
}

interface FilesNeeds {
  readonly config: Config;
  readonly engines: Engines;
  readonly files: FilesDeps;
  readonly projects: ProjectDirectory;
}

function addFilesWing(
  http: HttpServer,
  routes: ProjectRoutes,
  { config, engines: { blobs, cells, counter, metrics }, files, projects }: FilesNeeds,
): void {
  const perMinute = config.IMAGE_ADDRESS_LIMIT;
  const images = metrics.histogram({
    name: 'plinth_image_seconds',
    help: 'Time to resize an image, including the wait for its turn.',
    labels: ['result'],
  });
  const resizer = new ImageResizer((result, ms) => images.observe(ms / 1000, result));
  const variants = new ImageVariants({ blobs, resizer, counter, perMinute });
  const underWay = { writers: new UploadWriters(), puts: new DirectPuts() };
  addUploadRoutes(http, routes, { ...files, projects, cells, ...underWay });
  addFileRoutes(routes, files);
  addDeliveryRoutes(http, routes, { ...files, projects, cells, variants });
}

export type Features = ReturnType<typeof createFeatures>;
