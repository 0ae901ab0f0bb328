import websocket from '@fastify/websocket';
import { addGate, projectAddresses } from '../calls/gate/index.ts';
import { CallWatch, onFinishedCalls, projectRoutes } from '../calls/index.ts';
import { longestMessage } from '../features/live/transports/index.ts';
import type { Config } from '../platform/config/config.ts';
import { addDashboard } from '../platform/http/dashboard-page.ts';
import { addGuide } from '../platform/http/guide-page.ts';
import { addHealth, Health } from '../platform/http/health.ts';
import { addHomePage } from '../platform/http/home-page.ts';
import { addOpenApi } from '../platform/http/openapi/index.ts';
import { addReferencePage } from '../platform/http/reference-page.ts';
import { createHttpServer, type HttpServer } from '../platform/http/server.ts';
import { watchEventLoop } from '../platform/http/watch-event-loop.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { version } from '../version.ts';
import type { Addresses } from './addresses.ts';
import { apiDescription } from './api-description.ts';
import type { DevOptions } from './dev-options.ts';
import type { Engines } from './engines.ts';
import { type Features, schemas } from './features.ts';

export function createHttp(config: Config): HttpServer {
  return createHttpServer({
    logLevel: config.LOG_LEVEL,
    trustProxy: config.TRUST_PROXY,
    rewriteUrl: projectAddresses(config.API_DOMAIN),
  });
}

interface Served {
  readonly engines: Engines;
  readonly features: Features;
  readonly addresses: Addresses;
  readonly dev: DevOptions | undefined;
  readonly tracing: Tracing;
  readonly isDraining: () => boolean;
}

function homeLinks(dev: DevOptions | undefined) {
  const mails = {
    href: '/dev/mail',
    name: 'Emails',
    about: 'Emails and text messages that would have been sent while you develop',
  };
  const guide = { href: '/guide/', name: 'Guide', about: 'The documentation, with search' };
  return [
    { href: '/dashboard', name: 'Dashboard', about: 'Your projects, their data and people' },
    ...(dev === undefined ? [] : [guide]),
    { href: '/docs', name: 'Reference', about: 'Every call, with examples you can try' },
    { href: '/openapi.json', name: 'OpenAPI', about: 'The same, for code generators and other tools' },
    ...(dev?.mailFolder === undefined ? [] : [mails]),
  ];
}

/** Registers everything that the node answers; returns whether it can serve. */
export async function addEverything(
  http: HttpServer,
  config: Config,
  { engines, features, addresses, dev, tracing, isDraining }: Served,
): Promise<Health> {
  const { cells, counter, vault, metrics } = engines;
  const { ownOrigins } = addresses;
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining()) reply.header('Connection', 'close');
    done();
  });
  watchEventLoop(http, metrics, http.log);
  // Before the gate: it also closes the sockets of those whom the gate refuses.
  await http.register(websocket, { options: { maxPayload: longestMessage } });
  const watch = new CallWatch({ metrics, tracing, slowMs: config.SLOW_CALL_MS, log: http.log });
  const isWatched = config.ADMIN_PORT !== undefined || config.SLOW_CALL_MS > 0;
  onFinishedCalls(
    http,
    (call) => {
      features.calls.note(call);
      features.people.noteCall(call);
    },
    isWatched || config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ? watch : undefined,
  );
  addGate(http, {
    projects: features.projects,
    authenticator: features.people.authenticator,
    vault,
    counter,
    accounts: features.management.directory,
    noteGatewayCall: features.management.noteGatewayCall,
    dashboardOrigins: addresses.dashboardOrigins,
    origins: addresses.originPolicy,
    onKeyUse: features.keyUses.note,
    rootRef: config.ROOT_PROJECT,
    addressLimit: config.ADDRESS_RATE_LIMIT,
    fileLimit: config.FILE_ADDRESS_LIMIT,
  });
  addOpenApi(http, { version, ...apiDescription, schemas });
  await http.register(async () => {
    const routes = projectRoutes(http, {
      cells,
      vault,
      quotas: features.quotas,
      ownOrigins,
      apiDomain: config.API_DOMAIN,
      caughtUp: (cell) => engines.caughtUp(cell),
      guards: features.code.guards,
    });
    features.addRoutes(http, routes);
  });
  const health = new Health({ probes: engines.probes, clocks: engines.clocks, isDraining });
  addHealth(http, health);
  await addDashboard(http, { filesOrigin: config.FILES_URL && new URL(config.FILES_URL).origin });
  if (dev !== undefined) await addGuide(http);
  addReferencePage(http, dev?.apiKey);
  addHomePage(http, homeLinks(dev));
  await http.ready();
  return health;
}
