import type { KeyValueStorage } from './auth/session-keeper.ts';
import type { OpenSocket } from './live/connection.ts';

export interface ClientOptions {
  /** The project's address: `https://api.example.com/p/abc123def456`. */
  readonly url: string;
  /** For servers only: whoever has it may do everything. */
  readonly apiKey?: string | undefined;
  /** The token of an app user, for a server that acts for one. */
  readonly token?: string | undefined;
  /**
   * Where the sign-in is kept between visits: `localStorage` in pages, unless said otherwise. React Native's
   * `AsyncStorage` fits as it is.
   */
  readonly storage?: KeyValueStorage | undefined;
  /** Keeps live lists on the device (IndexedDB), so that a page shows them at once and without a connection. */
  readonly persist?: boolean | undefined;
  /** Keeps writes on the device until they are sent: see `outbox`. */
  readonly outbox?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** For runtimes that have none: `(url) => new WebSocket(url)`, of the package `ws`. */
  readonly webSocket?: OpenSocket | undefined;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credentials?: RequestCredentials | undefined;
  /** How long one try may take: 30,000 unless said otherwise. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again: 3 times unless said otherwise. */
  readonly retries?: number | undefined;
  /** Hears what the server finds odd about a call; `console.warn` unless said otherwise. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}
