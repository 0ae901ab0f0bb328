import { setTimeout as sleep } from 'node:timers/promises';
import { addGate, projectAddresses, projectRoutes } from './features/access/index.ts';
import { addCollectionRoutes, CollectionDirectory, collectionSchema } from './features/collections/index.ts';
import { addDocumentRoutes, documentSchema, Sweeper } from './features/documents/index.ts';
import { ProjectDirectory, requirePrepared } from './features/projects/index.ts';
import { type Config, parseCells } from './platform/config.ts';
import { createCounter } from './platform/counters/create-counter.ts';
import { Cells } from './platform/db/cells.ts';
import { ChangeListener } from './platform/db/change-listener.ts';
import { ControlDb } from './platform/db/control-db.ts';
import { addHealth } from './platform/http/health.ts';
import { addOpenApi } from './platform/http/openapi.ts';
import { addReferencePage } from './platform/http/reference-page.ts';
import { createHttpServer, type HttpServer } from './platform/http/server.ts';
import { version } from './version.ts';

export interface App {
  readonly http: HttpServer;
  /** Starts to serve; returns the address. */
  start(): Promise<string>;
  /** Finishes what was accepted, then lets go of everything. */
  stop(): Promise<void>;
}

const tags = [
  { name: 'Collections', description: 'Named sets of documents.' },
  { name: 'Documents', description: 'JSON objects of any shape.' },
];

/** Puts a node together. Nothing connects before `start`. */
export async function createApp(config: Config): Promise<App> {
  let isDraining = false;
  const http = createHttpServer({
    logLevel: config.LOG_LEVEL,
    trustProxy: config.TRUST_PROXY,
    rewriteUrl: projectAddresses(config.API_DOMAIN),
  });
  const { log } = http;

  // Engines
  const urls = parseCells(config);
  const cells = new Cells(
    urls,
    { size: config.DATABASE_POOL_SIZE, statementTimeoutMs: config.STATEMENT_TIMEOUT_MS },
    log,
  );
  const control = new ControlDb(cells.pool(1));
  const listeners = new Map(Array.from(urls, ([cell, url]) => [cell, new ChangeListener(url, log)]));
  const counter = createCounter(config.REDIS_URL, log);

  // Features
  const projects = new ProjectDirectory(new ControlDb(cells.lookupPool(1)), listeners.get(1)!);
  const collections = new CollectionDirectory(cells, listeners);
  const sweeper = new Sweeper(cells, log);

  // HTTP
  http.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('Connection', 'close');
  });
  const ownOrigins = new Set(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL]);
  addGate(http, {
    directory: projects,
    counter,
    ownOrigins,
    rootRef: config.ROOT_PROJECT,
    addressLimit: config.ADDRESS_RATE_LIMIT,
  });
  await addOpenApi(http, { version, tags });
  http.addSchema(collectionSchema);
  http.addSchema(documentSchema);
  await http.register(async () => {
    const routes = projectRoutes(http, cells);
    addCollectionRoutes(routes, { directory: collections, onDeleted: () => sweeper.soon() });
    addDocumentRoutes(routes, collections);
  });
  addHealth(
    http,
    [
      ...cells.numbers.map((number) => ({
        name: `cell ${number}`,
        isVital: number === 1,
        check: () => cells.pool(number).query('SELECT 1'),
      })),
      { name: 'counters', isVital: false, check: () => counter.check() },
    ],
    () => isDraining,
  );
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
      const address = await http.listen({ host: config.HOST, port: config.PORT });
      for (const origin of [address, address.replace('127.0.0.1', 'localhost')]) ownOrigins.add(origin);
      return address;
    },
    async stop() {
      isDraining = true;
      await sleep(config.SHUTDOWN_DELAY_MS);
      await http.close();
      await sweeper.stop();
      await Promise.all([...listeners.values()].map((listener) => listener.close()));
      await counter.close();
      await cells.close();
    },
  };
}
