import type { KeyValueStorage } from './auth/session-keeper.ts';
import type { OpenSocket } from './live/connection.ts';

export interface ClientOptions {
  /** The URL of the project: `https://api.example.com/p/abc123def456`. */
  readonly url: string;
  /** For servers only: anyone who has it can do everything. */
  readonly apiKey?: string | undefined;
  /** The token of an app user, for a server that acts on behalf of one. */
  readonly token?: string | undefined;
  /**
   * Where the session is stored between visits; `localStorage` by default in pages. React Native's `AsyncStorage`
   * can be passed as it is.
   */
  readonly storage?: KeyValueStorage | undefined;
  /** Stores live lists on the device (IndexedDB), so that a page can show them immediately and offline. */
  readonly persist?: boolean | undefined;
  /** Stores writes on the device until they are sent: see `outbox`. */
  readonly outbox?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** For runtimes without a WebSocket: `(url) => new WebSocket(url)`, from the package `ws`. */
  readonly webSocket?: OpenSocket | undefined;
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credentials?: RequestCredentials | undefined;
  /** The timeout of one attempt; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request is retried; 3 by default. */
  readonly retries?: number | undefined;
  /** Receives the `warnings` of responses; `console.warn` by default. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}
