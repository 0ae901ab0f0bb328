import { type BlockList, connect, type Socket } from 'node:net';
import type { Agent, fetch as Fetch } from 'undici';
import { ConfigError } from '../config/config.ts';
import { parseJsonText } from '../json.ts';
import { traced } from '../tracing/current-call.ts';
import { isInNetworks, isPublicAddress, parseNetworks } from './addresses.ts';
import { type AddressRule, checkLiteral, guardedLookup, type Lookup, resolveName } from './guarded-lookup.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export interface OutboundOptions {
  /** Addresses and networks, separated by commas, that may be called although they are not public. */
  readonly allowed: string;
  readonly lookup?: Lookup;
  readonly timeoutMs?: number;
}

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | Uint8Array | null;
  readonly signal?: AbortSignal;
  /** So much of the answer is read, and the rest is left; without it, an answer that is too long is a failure. */
  readonly keepBytes?: number;
}

const maxBytes = 1_048_576;
/** Answers that have no body, not even an empty one. */
const bodiless = new Set([204, 205, 304]);

/**
 * Calls to hosts that projects name in their settings. A project must not use us to reach what it could not reach itself,
 * such as the network of the service or the metadata address of its machine. So only public addresses are called, each
 * checked at the moment of connecting, and redirects are not followed.
 */
export class Outbound {
  readonly #lookup: Lookup;
  readonly #timeoutMs: number;
  readonly #isReachable: AddressRule;
  /** What may be called without encryption, which anyone on the way can read: only what the operator has allowed. */
  readonly #isAllowed: AddressRule;
  #caller: Promise<Caller> | undefined;

  constructor({ allowed, lookup = resolveName, timeoutMs = 10_000 }: OutboundOptions) {
    const networks = readAllowed(allowed);
    this.#lookup = lookup;
    this.#timeoutMs = timeoutMs;
    this.#isAllowed = (address) => isInNetworks(networks, address);
    this.#isReachable = (address) => isPublicAddress(address) || this.#isAllowed(address);
  }

  /** Refuses an address that can never be called. Where a name leads is known only when it is called. */
  check(address: string | URL): URL {
    const url = readUrl(address);
    const isReachable = url.protocol === 'https:' ? this.#isReachable : this.#isAllowed;
    checkLiteral(url.hostname.replace(/^\[|\]$/g, ''), isReachable);
    return url;
  }

  /** Calls a URL and reads the whole answer, of at most 1 MB, in at most 10 s. */
  async fetch(address: string | URL, request: OutboundRequest = {}): Promise<Response> {
    const url = this.check(address);
    const isSafe = url.protocol === 'https:';
    this.#caller ??= this.#load();
    const { fetch, https, http } = await this.#caller;
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const { method = 'GET' } = request;
    try {
      const answer = await traced(
        'outbound',
        () => `${method} ${url.host}`,
        () =>
          fetch(url, {
            method,
            ...(request.headers && { headers: request.headers }),
            ...(request.body !== undefined && { body: request.body }),
            signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
            redirect: 'error',
            dispatcher: isSafe ? https : http,
          }),
      );
      const { keepBytes } = request;
      const body = await (keepBytes === undefined
        ? readWhole(answer.body, url.host)
        : readFirst(answer.body, keepBytes));
      const { status, statusText } = answer;
      const headers = new Headers([...answer.headers]);
      return new Response(bodiless.has(status) ? null : body, { status, statusText, headers });
    } catch (error) {
      throw toOutboundError(url.host, error);
    }
  }

  /** Opens a connection to a host, for protocols other than HTTP. */
  async connect(host: string, port: number): Promise<Socket> {
    const place = `${host}:${port}`;
    checkLiteral(host, this.#isReachable);
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, lookup: guardedLookup(this.#lookup, this.#isReachable) });
      const fail = (error: Error) => {
        clearTimeout(timer);
        socket.destroy();
        reject(toOutboundError(place, error));
      };
      const timer = setTimeout(
        () => fail(new OutboundError(`${place} did not respond in time.`)),
        this.#timeoutMs,
      );
      socket.once('error', fail).once('connect', () => {
        clearTimeout(timer);
        // Until whoever gets the socket listens too, a connection that breaks must not end the process.
        socket.off('error', fail).on('error', () => {});
        resolve(socket);
      });
    });
  }

  async close(): Promise<void> {
    const caller = await this.#caller;
    await Promise.all([caller?.https.close(), caller?.http.close()]);
  }

  /** Loaded by the first call, so that a node that makes none saves 30 MB. */
  async #load(): Promise<Caller> {
    const { Agent, fetch } = await import('undici');
    const agent = (rule: AddressRule) =>
      new Agent({
        connect: { lookup: guardedLookup(this.#lookup, rule), timeout: this.#timeoutMs },
        headersTimeout: this.#timeoutMs,
        bodyTimeout: this.#timeoutMs,
      });
    return { fetch, https: agent(this.#isReachable), http: agent(this.#isAllowed) };
  }
}

interface Caller {
  readonly fetch: typeof Fetch;
  readonly https: Agent;
  readonly http: Agent;
}

/** The JSON of an answer. */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return parseJsonText(await response.text());
  } catch {
    throw new OutboundError('The response is not valid JSON.');
  }
}

function readAllowed(text: string): BlockList {
  const networks = parseNetworks(text);
  if (!networks) {
    throw new ConfigError(
      'OUTBOUND_ALLOW: write addresses or networks, separated by commas, e.g. 10.1.2.3, 192.168.7.0/24.',
    );
  }
  return networks;
}

function readUrl(address: string | URL): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
    throw new OutboundError('The URL does not start with https://.');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError(`The URL of ${url.host} must not contain a user name or password.`);
  return url;
}

async function readWhole(
  body: AsyncIterable<Uint8Array> | null,
  host: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > maxBytes) throw new OutboundError(`${host} returned more than 1 MB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The first bytes of an answer; what comes after them is not waited for. */
async function readFirst(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece.subarray(0, most - length));
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces);
}
