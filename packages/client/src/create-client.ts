import { Auth } from './auth/auth.ts';
import { defaultStorage, SessionKeeper } from './auth/session-keeper.ts';
import type { ClientOptions } from './client-options.ts';
import { Collection } from './collection.ts';
import type { Door } from './door.ts';
import { Files } from './files/files.ts';
import { Functions } from './functions.ts';
import { type Answer, type Call, Http } from './http.ts';
import { type Lazy, lazily } from './lazily.ts';
import { LazyLive, type LiveConnection } from './live/lazy-live.ts';
import type { Room } from './live/room.ts';
import { type ClientOutbox, LazyDevice, noOutbox } from './offline/lazy-device.ts';
import type { AnyProject, CollectionName, ProjectTypes } from './project-types.ts';
import type { Collections } from './server-side/collections.ts';
import type { Users } from './server-side/users.ts';

export interface Client<P extends ProjectTypes> {
  collection<Name extends CollectionName<P>>(name: Name): Collection<P, Name>;
  readonly auth: Auth<P>;
  readonly files: Files;
  readonly functions: Functions<P>;
  /** A room: its members and their messages. Nothing is stored. */
  room(name: string): Room;
  /** The connection used for everything live. */
  readonly connection: LiveConnection;
  /** With `outbox: true`: the writes that are waiting to be sent, and those that the server rejected. */
  readonly outbox: ClientOutbox;
  /** App users, for a server with the API key. */
  readonly users: Lazy<Users<P>>;
  /** Collections and their rules, for a server with the API key. */
  readonly collections: Lazy<Collections>;
  /** The same project, on behalf of the app user with this token. */
  as(token: string): Client<P>;
  /** For endpoints without their own method. */
  call<Data>(call: Call): Promise<Answer<Data>>;
}

/** Creates a client for one project. It does not send anything by itself. */
export function createClient<P extends ProjectTypes = AnyProject>(options: ClientOptions): Client<P> {
  const { apiKey, token } = options;
  const url = checkUrl(options.url);
  const storage = options.storage ?? defaultStorage();
  const keeper = new SessionKeeper(token === undefined ? storage : undefined, `plinth:${url}`, token);
  const http: Http = new Http({
    url,
    fetch: options.fetch,
    headers: { ...(apiKey && { 'X-API-Key': checkKey(apiKey) }), ...options.headers },
    credentials: options.credentials,
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    // oxlint-disable-next-line no-console -- whoever develops an app is to see it
    onWarning: options.onWarning ?? ((warning) => console.warn(`Plinth: ${warning}`)),
    token: () => auth.token(),
    onRefused: (refused, isExpired) => auth.refused(refused, isExpired),
  });
  const auth = new Auth<P>(http, keeper);
  // A token that was given says nothing of whose lists and writes are on the device.
  const hasDevice =
    token === undefined && (options.persist || options.outbox) && typeof indexedDB === 'object';
  const device = hasDevice
    ? new LazyDevice(http, keeper, options, (...wanted) => live.find(...wanted))
    : undefined;
  const live = new LazyLive(async () => {
    const { LiveSide } = await import('./live/live-side.ts');
    const side = new LiveSide(http, options.webSocket, device && (() => device.open()));
    keeper.onToken(side.takeToken);
    return side;
  });
  const door: Door = { http, live, queue: options.outbox ? device?.queue : undefined };
  return {
    collection: (name) => new Collection(door, name),
    auth,
    files: new Files(http, storage),
    functions: new Functions(http),
    room: (name) => live.room(name),
    connection: live.connection,
    outbox: device?.outbox ?? noOutbox,
    users: lazily(async () => new (await import('./server-side/users.ts')).Users<P>(http)),
    collections: lazily(async () => new (await import('./server-side/collections.ts')).Collections(http)),
    as: (token) => createClient<P>({ ...options, token }),
    call: (call) => http.call(call),
  };
}

function checkUrl(url: string): string {
  if (!/^(https?:\/)?\/[^?#]*$/.test(url))
    throw new TypeError(
      `The url must be the project's address, such as https://api.example.com/p/abc123def456, not ${JSON.stringify(url)}.`,
    );
  return url.replace(/\/+$/, '');
}

function checkKey(apiKey: string): string {
  if ('document' in globalThis)
    throw new TypeError(
      'The API key has full access to the project, and anyone can read what is in a page. Let people sign in instead.',
    );
  return apiKey;
}
