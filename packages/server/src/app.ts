import { setTimeout as sleep } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import {
  addGate,
  identifyCaller,
  isOriginAllowed,
  projectAddresses,
  projectRoutes,
  refInAddress,
} from './features/access/index.ts';
import {
  type AppUserServices,
  addAppUserRoutes,
  addPublishedKeys,
  KeyRing,
  profileSchema,
  Tokens,
  userSchema,
} from './features/app-users/index.ts';
import {
  type AuthFlowServices,
  accountFlows,
  addAuthFlowRoutes,
  authFlowTasks,
} from './features/auth-flows/index.ts';
import { addAuthPages } from './features/auth-pages/index.ts';
import { addCollectionRoutes, CollectionDirectory, collectionSchema } from './features/collections/index.ts';
import { AlikeLists, addDocumentRoutes, documentSchema } from './features/documents/index.ts';
import { addIdentityRoutes, hasIdentities, unlinkIdentities } from './features/identities/index.ts';
import { addIndexRoutes, haveTended, indexSchema, indexTasks, ShapeLog } from './features/indexes/index.ts';
import { LinkCatalogue } from './features/links/index.ts';
import { addDevMail, addMessageRoutes, messageTasks } from './features/messages/index.ts';
import { addPasskeyRoutes, forgetPasskeysOf, hasPasskeys } from './features/passkeys/index.ts';
import { ProjectDirectory, ProjectSecrets, requirePrepared } from './features/projects/index.ts';
import { addRealtimeRoutes, Gateway, Identities, Rooms } from './features/realtime/index.ts';
import { checkSettings, ReadingScopes } from './features/rules/index.ts';
import {
  addFileDelivery,
  addStorageRoutes,
  FileUrls,
  fileSchema,
  type StorageServices,
} from './features/storage/index.ts';
import { getUserAsCaller, linkedLoader } from './linked-records.ts';
import { openBlobStore } from './platform/blobs/open-blob-store.ts';
import { type Config, parseCells } from './platform/config.ts';
import { createCounter } from './platform/counters/create-counter.ts';
import { Cells } from './platform/db/cells.ts';
import { ChangeListener } from './platform/db/change-listener.ts';
import { ControlDb } from './platform/db/control-db.ts';
import { Scans } from './platform/db/scans.ts';
import { closing } from './platform/http/close-server.ts';
import { addHealth } from './platform/http/health.ts';
import { addMetrics } from './platform/http/metrics.ts';
import { addOpenApi } from './platform/http/openapi.ts';
import { addReferencePage } from './platform/http/reference-page.ts';
import { createHttpServer, type HttpServer } from './platform/http/server.ts';
import { InTurn } from './platform/in-turn.ts';
import { JobRunner } from './platform/jobs/job-runner.ts';
import { Outbound } from './platform/outbound/outbound.ts';
import { openVault } from './platform/vault.ts';
import { openRealtime } from './realtime-engines.ts';
import { Sweeper } from './sweeper.ts';
import { version } from './version.ts';

export interface App {
  readonly http: HttpServer;
  /** Starts to serve; returns the address. */
  start(): Promise<string>;
  /** Resolves when the node has heard of all that others committed until now. */
  caughtUp(): Promise<void>;
  /** Finishes what was accepted, then lets go of everything. */
  stop(): Promise<void>;
}

const tags = [
  { name: 'Collections', description: 'Named sets of documents.' },
  { name: 'Documents', description: 'JSON objects of any shape.' },
  { name: 'Indexes', description: 'What keeps filters and sorts fast on large collections.' },
  { name: 'Files', description: 'Uploads, public and signed URLs, images in any size.' },
  { name: 'Realtime', description: 'Changes as they happen, and rooms: see docs/realtime.md.' },
  { name: 'App users', description: 'The people who use the app: sign-up, login, profiles.' },
  { name: 'Sign-in flows', description: 'Verification, password reset, second steps, phone login.' },
  { name: 'Passkeys', description: 'Sign-in with a finger, a face or a PIN instead of a password.' },
  { name: 'Mail templates', description: 'The texts of mails, and your own in their place.' },
];

/** Where this machine reaches itself, for a node that was not told how others reach it. */
const reachable = (address: string) =>
  address.replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::1?\])/, '//localhost');

/** Puts a node together. Nothing connects before `start`. */
export async function createApp(config: Config): Promise<App> {
  let isDraining = false;
  const http = createHttpServer({
    logLevel: config.LOG_LEVEL,
    trustProxy: config.TRUST_PROXY,
    rewriteUrl: projectAddresses(config.API_DOMAIN),
  });
  const { log } = http;
  const closeServer = closing(http);

  // Engines
  const urls = parseCells(config);
  const cells = new Cells(
    urls,
    {
      size: config.DATABASE_POOL_SIZE,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      queryTimeoutMs: config.QUERY_TIMEOUT_MS,
    },
    log,
  );
  const control = new ControlDb(cells.pool(1));
  const listeners = new Map(Array.from(urls, ([cell, url]) => [cell, new ChangeListener(url, log)]));
  const counter = createCounter(config.REDIS_URL, log);
  const vault = openVault(config);
  const outbound = new Outbound({ allowed: config.OUTBOUND_ALLOW });
  const blobs = await openBlobStore(config);

  // Features
  const lookups = new ControlDb(cells.lookupPool(1));
  const projects = new ProjectDirectory(lookups, listeners.get(1)!);
  const collections = new CollectionDirectory(cells, listeners);
  const links = new LinkCatalogue(cells, listeners, collections);
  const scopes = new ReadingScopes(collections, links);
  const keys = new KeyRing(lookups, vault, listeners.get(1)!);
  const tokens = new Tokens(keys);
  const loadLinked = linkedLoader(collections, scopes);
  const findProject = (id: string) => projects.findById(id);
  const sweeper = new Sweeper({ cells, blobs, log, findProject });
  const shapes = new ShapeLog(cells, {
    log,
    onSlow: (project, collection) => haveTended({ db: cells.forProject(project), project }, collection),
  });
  let ownAddress = '';
  const storage: StorageServices = {
    blobs,
    vault,
    counter,
    urls: new FileUrls(
      () => config.FILES_URL ?? config.PUBLIC_URL ?? ownAddress,
      () => config.PUBLIC_URL ?? ownAddress,
    ),
    imagesPerMinute: config.IMAGE_ADDRESS_LIMIT,
    onLoose: () => sweeper.soon(),
  };

  const scans = new Scans(cells, config.QUERY_TIMEOUT_MS);
  const secrets = new ProjectSecrets(lookups, vault, listeners.get(1)!);
  const messages = {
    vault,
    secrets,
    server: { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, folder: config.MAIL_FOLDER },
  };
  const flows: AuthFlowServices = {
    messages,
    vault,
    pagesOf: ({ ref }) => `${config.PUBLIC_URL ?? ownAddress}/p/${ref}/auth-collections`,
    unlink: async (context, userId) => {
      await unlinkIdentities(context, userId);
      await forgetPasskeysOf(context, userId);
    },
    get users() {
      return users;
    },
  };
  const users: AppUserServices = {
    tokens,
    links,
    scopes,
    storage,
    counter,
    flows: accountFlows(flows),
    limits: { addressPerMinute: config.AUTH_ADDRESS_LIMIT, accountPerMinute: config.AUTH_ACCOUNT_LIMIT },
    loadLinked,
  };
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;
  const jobs = new JobRunner(
    {
      cells: urls,
      concurrency: config.JOB_CONCURRENCY,
      tasks: {
        ...messageTasks({ ...messages, cells, outbound, findProject, log }),
        ...authFlowTasks({ ...flows, cells, findProject }),
        ...indexTasks({ cells, findProject, log, signal: stopping.signal }),
      },
    },
    log,
  );

  const engines = openRealtime(config, { cells, urls, log });
  const gateway = new Gateway({
    collections,
    scopes,
    loadLinked,
    cells,
    listeners,
    scans,
    counter,
    findProject: (ref) => projects.findByRef(ref),
    rooms: new Rooms(engines.bus),
    streamOf: engines.streamOf,
    wantChanges: engines.wantChanges,
    failureOf: engines.failureOf,
    addressLimit: config.ADDRESS_RATE_LIMIT,
    mostConnections: config.REALTIME_CONNECTIONS,
    log,
  });

  // HTTP
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('Connection', 'close');
    done();
  });
  // Before the gate: whom that refuses is to be let go of.
  await http.register(websocket, { options: { maxPayload: 65_536 } });
  const ownOrigins = new Set(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL]);
  addGate(http, {
    directory: projects,
    tokens,
    cells,
    counter,
    ownOrigins,
    rootRef: config.ROOT_PROJECT,
    addressLimit: config.ADDRESS_RATE_LIMIT,
  });
  await addOpenApi(http, { version, tags });
  for (const schema of [collectionSchema, documentSchema, indexSchema, userSchema, profileSchema, fileSchema])
    http.addSchema(schema);
  await http.register(async () => {
    const routes = projectRoutes(http, {
      cells,
      vault,
      ownOrigins,
      apiDomain: config.API_DOMAIN,
      caughtUp: async (cell) => listeners.get(cell)?.caughtUp(),
    });
    addCollectionRoutes(routes, {
      directory: collections,
      onDeleted: () => sweeper.soon(),
      checkSettings: (context, collection) => checkSettings(scopes, context, collection),
    });
    addDocumentRoutes(routes, {
      collections,
      links,
      scopes,
      storage,
      scans,
      alike: new AlikeLists(scans),
      shapes,
      changes: new InTurn(),
      loadLinked,
      getUser: getUserAsCaller,
    });
    addIndexRoutes(routes, collections);
    addStorageRoutes(routes, storage);
    addAppUserRoutes(routes, users);
    addAuthFlowRoutes(routes, flows);
    addAuthPages(routes, flows);
    addIdentityRoutes(routes, {
      accounts: users,
      vault,
      outbound,
      hasOtherWay: hasPasskeys,
      findProvider: (project, name) => secrets.find(project, `provider:${name}`),
    });
    addPasskeyRoutes(routes, { users, hasOtherWay: hasIdentities });
    addMessageRoutes(routes, messages);
    addRealtimeRoutes(http, routes, {
      gateway,
      tokens,
      identities: new Identities({
        cells,
        tokens,
        directory: projects,
        identify: (credentials, request) =>
          identifyCaller({ directory: projects, tokens, cells }, credentials, {
            ref: refInAddress(request),
            rootRef: config.ROOT_PROJECT,
          }),
        isOriginAllowed: (origin, project) => isOriginAllowed(origin, project, ownOrigins),
      }),
    });
  });
  if (config.MAIL_FOLDER !== undefined) addDevMail(http, config.MAIL_FOLDER);
  addFileDelivery(http, { ...storage, projects, cells });
  addPublishedKeys(http, keys);
  addHealth(
    http,
    [
      ...cells.numbers.map((number) => ({
        name: `cell ${number}`,
        isVital: number === 1,
        check: () => cells.pool(number).query('SELECT 1'),
      })),
      ...engines.probes,
      { name: 'counters', isVital: false, check: () => counter.check() },
      { name: 'files', isVital: false, check: () => blobs.check() },
    ],
    () => isDraining,
  );
  addMetrics(http, [
    engines.lag,
    {
      name: 'plinth_realtime_connections',
      help: 'Live connections to this process.',
      read: async () => new Map([['', gateway.connectionCount]]),
    },
  ]);
  addReferencePage(http);
  await http.ready();

  return {
    http,
    async start() {
      // Without control there is no service; a further cell that is away is waited for while the others are served.
      await Promise.all(Array.from(listeners, ([cell, listener]) => listener.start(cell === 1)));
      await requirePrepared(control);
      await counter.connect();
      sweeper.start();
      shapes.start();
      const address = await http.listen({ host: config.HOST, port: config.PORT });
      ownAddress = reachable(address);
      jobs.start();
      engines.start();
      gateway.start();
      for (const origin of [address, address.replace('127.0.0.1', 'localhost')]) ownOrigins.add(origin);
      return address;
    },
    async caughtUp() {
      await Promise.all([...listeners.values()].map((listener) => listener.caughtUp()));
    },
    stop: () => (stopped ??= stop()),
  };

  async function stop(): Promise<void> {
    isDraining = true;
    await sleep(config.SHUTDOWN_DELAY_MS);
    await gateway.close();
    await closeServer();
    await engines.stop();
    stopping.abort();
    await jobs.stop();
    await sweeper.stop();
    await shapes.stop();
    await Promise.all([...listeners.values()].map((listener) => listener.close()));
    await counter.close();
    await blobs.close();
    await outbound.close();
    await cells.close();
  }
}
