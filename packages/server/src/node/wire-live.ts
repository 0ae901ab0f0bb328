import { identifySender, isOriginAllowed } from '../calls/gate/index.ts';
import type { ProjectDirectory, ProjectRoutes } from '../calls/index.ts';
import type { AccountDirectory } from '../calls/management/index.ts';
import type { KeyUses } from '../features/control/api-keys/index.ts';
import { CursorSeals } from '../features/live/feed/index.ts';
import { addInspectionRoutes, ownPart, Survey } from '../features/live/inspection/index.ts';
import { Rooms } from '../features/live/rooms/index.ts';
import { addRealtimeRoutes, ConnectionOwners, Gateway } from '../features/live/transports/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { HttpServer } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { Addresses } from './addresses.ts';
import type { Engines } from './engines.ts';
import type { DataWing } from './wire-data.ts';
import type { PeopleWing } from './wire-people.ts';

interface LiveNeeds {
  readonly projects: ProjectDirectory;
  readonly keyUses: KeyUses;
  readonly data: DataWing;
  readonly people: PeopleWing;
  readonly accounts: Pick<AccountDirectory, 'roleIn'>;
  readonly addresses: Addresses;
  readonly log: Log;
}

/** Puts the live wing together. */
export function wireLive(
  config: Config,
  { cells, listeners, scans, counter, realtime, vault, metrics }: Engines,
  { projects, keyUses, data, people, accounts, addresses, log }: LiveNeeds,
) {
  const resyncs = metrics.counter({
    name: 'plinth_realtime_resyncs_total',
    help: 'How often a live subscription had to read again: because of a gap, an unknown cursor, or new rules.',
    labels: ['reason'],
  });
  const gateway = new Gateway({
    cells,
    listeners,
    scans,
    counter,
    collections: data.collections,
    scopes: data.scopes,
    seals: new CursorSeals(vault),
    loadLinked: data.loadLinked,
    streamOf: realtime.streamOf,
    wantChanges: realtime.wantChanges,
    failureOf: realtime.failureOf,
    findProject: (ref) => projects.findByRef(ref),
    rooms: new Rooms(realtime.bus, log),
    addressLimit: config.ADDRESS_RATE_LIMIT,
    mostConnections: config.REALTIME_CONNECTIONS,
    onResync: (reason) => resyncs.add(1, reason),
    log,
  });
  metrics.gauge({
    name: 'plinth_realtime_connections',
    help: 'Live connections.',
    scope: 'node',
    read: () => gateway.connectionCount,
  });
  metrics.gauge({
    name: 'plinth_realtime_subscriptions',
    help: 'Subscriptions of live connections.',
    scope: 'node',
    read: () => gateway.subscriptionCount,
  });
  const owners = new ConnectionOwners({
    cells,
    tokens: people.tokens,
    directory: projects,
    isOfTeam: async (accountId, ref) => (await accounts.roleIn(accountId, ref)) !== undefined,
    identify: (credentials, request) =>
      identifySender(
        {
          projects,
          authenticator: people.authenticator,
          vault,
          origins: addresses.originPolicy,
          onKeyUse: keyUses.note,
          rootRef: config.ROOT_PROJECT,
        },
        credentials,
        request,
      ),
    isOriginAllowed: (origin, project) => isOriginAllowed(origin, project, addresses.originPolicy),
  });
  const survey = new Survey({
    bus: realtime.bus,
    isShared: config.REDIS_URL !== undefined,
    answer: (question) => ownPart(gateway, question),
    log,
  });
  return {
    gateway,
    survey,
    addRoutes(http: HttpServer, routes: ProjectRoutes): void {
      addRealtimeRoutes(http, routes, { gateway, owners, tokens: people.tokens });
      addInspectionRoutes(routes, survey);
    },
  };
}
