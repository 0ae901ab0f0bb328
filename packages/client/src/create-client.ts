import { Collection } from './collection.ts';
import { type Answer, type Call, Http } from './http.ts';
import type { AnyProject, CollectionName, ProjectTypes } from './project-types.ts';

export interface ClientOptions {
  /** The project's address: `https://api.example.com/p/abc123def456`. */
  readonly url: string;
  /** For servers only: whoever has it may do everything. */
  readonly apiKey?: string;
  /** The token of an app user, for a server that acts for one. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials;
  /** How long one try may take: 30,000 unless said otherwise. */
  readonly timeoutMs?: number;
  /** How often a call is tried again: 3 times unless said otherwise. */
  readonly retries?: number;
  /** Hears what the server finds odd about a call; `console.warn` unless said otherwise. */
  readonly onWarning?: (warning: string) => void;
}

export interface Client<P extends ProjectTypes> {
  collection<Name extends CollectionName<P>>(name: Name): Collection<P, Name>;
  /** The same project, on behalf of the app user with this token. */
  as(token: string): Client<P>;
  /** For routes that have no method of their own. */
  call<Data>(call: Call): Promise<Answer<Data>>;
}

/** Speaks to one project. Nothing is sent before it is asked for. */
export function createClient<P extends ProjectTypes = AnyProject>(options: ClientOptions): Client<P> {
  const { apiKey, token } = options;
  const http = new Http({
    url: checkUrl(options.url),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: { ...(apiKey && { 'X-API-Key': checkKey(apiKey) }), ...options.headers },
    credentials: options.credentials,
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    // oxlint-disable-next-line no-console -- whoever develops an app is to see it
    onWarning: options.onWarning ?? ((warning) => console.warn(`Plinth: ${warning}`)),
    token: () => Promise.resolve(token),
    onRefused: () => {},
  });
  return {
    collection: (name) => new Collection(http, name),
    as: (token) => createClient<P>({ ...options, token }),
    call: (call) => http.call(call),
  };
}

function checkUrl(url: string): string {
  if (!/^(https?:\/)?\/[^?#]*$/.test(url))
    throw new TypeError(
      `The url is the project's address, such as https://api.example.com/p/abc123def456, not ${JSON.stringify(url)}.`,
    );
  return url.replace(/\/+$/, '');
}

function checkKey(apiKey: string): string {
  if ('document' in globalThis)
    throw new TypeError(
      'The API key may do everything in the project, and everyone can read what is in a page. Let people sign in instead.',
    );
  return apiKey;
}
