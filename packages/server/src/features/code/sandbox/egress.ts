import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Agent, Dispatcher } from 'undici';
import { ConfigError } from '../../../platform/config/config.ts';
import { isInNetworks, isPublicAddress, parseNetworks } from '../../../platform/outbound/addresses.ts';
import {
  type AddressRule,
  guardedLookup,
  type Lookup,
  resolveName,
} from '../../../platform/outbound/guarded-lookup.ts';
import { OutboundError, toOutboundError } from '../../../platform/outbound/outbound-error.ts';
import { upTo } from '../../../platform/up-to.ts';
import type { Undici } from './undici.ts';
import { whenClosed } from './when-closed.ts';

/** Concurrent requests to the internet from the functions of a project, on one node. @limit - */
const mostAtOnce = 50;
/** Bytes that the functions of a project may send and receive per minute, on one node. @limit - bytes */
const bytesPerMinute = 256 * 1_048_576;
const mostRedirects = 10;
const connectMs = 10_000;
const silenceMs = 60_000;
const idleMs = 10_000;
/** Projects whose connections are kept. */
const mostProjects = 500;

/** What belongs to one connection, and is not handed on. */
const hopByHop = new Set(
  `connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host expect`.split(
    ' ',
  ),
);
const credentials = ['authorization', 'cookie'];
const redirects = new Set([301, 302, 303, 307, 308]);
const ownPrefix = 'x-plinth-';

type Headers = Record<string, string | string[]>;

interface ProjectEgress {
  readonly agent: Agent;
  atOnce: number;
  bytes: number;
  since: number;
}

/**
 * Makes the calls of functions to the world: to public addresses only, each checked at the moment of connecting, on every
 * hop. Each project has connections of its own and a share of them.
 */
export class Egress {
  readonly #isAllowed: AddressRule;
  readonly #lookup: Lookup;
  readonly #undici: () => Promise<Undici>;
  readonly #projects = new LRUCache<string, ProjectEgress>({
    ...upTo(mostProjects),
    dispose: ({ agent }) => void agent.close().catch(() => {}),
  });

  constructor({
    allowed,
    lookup = resolveName,
    undici = () => import('undici'),
  }: {
    allowed: string;
    lookup?: Lookup;
    undici?: () => Promise<Undici>;
  }) {
    const networks = parseNetworks(allowed);
    if (!networks)
      throw new ConfigError(
        'FUNCTIONS_EGRESS_ALLOW: write addresses or networks, separated by commas, e.g. 10.1.2.3, 192.168.7.0/24.',
      );
    this.#isAllowed = (address) => isPublicAddress(address) || isInNetworks(networks, address);
    this.#lookup = lookup;
    this.#undici = undici;
  }

  async serve(project: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signal = whenClosed(response);
    let own: ProjectEgress | undefined;
    try {
      own = await this.#enter(project);
      const { answer, url, isRedirected } = await this.#follow(own, request, signal);
      response.writeHead(answer.statusCode, {
        ...handedOn(answer.headers),
        'x-plinth-url': url.href,
        ...(isRedirected && { 'x-plinth-redirected': '1' }),
      });
      const leave = own;
      await new Promise<void>((resolve) => {
        pipeline(answer.body, counting(leave), response, () => resolve());
      });
    } catch (error) {
      refuse(response, error);
    } finally {
      if (own) own.atOnce -= 1;
    }
  }

  async close(): Promise<void> {
    const agents = Array.from(this.#projects.values(), ({ agent }) => agent);
    await Promise.all(agents.map((agent) => agent.destroy()));
    this.#projects.clear();
  }

  async #enter(project: string): Promise<ProjectEgress> {
    const { Agent } = await this.#undici();
    const own = this.#projects.get(project) ?? {
      agent: new Agent({
        connect: { lookup: guardedLookup(this.#lookup, this.#isAllowed), timeout: connectMs },
        connections: mostAtOnce,
        keepAliveTimeout: idleMs,
        pipelining: 1,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      }),
      atOnce: 0,
      bytes: 0,
      since: performance.now(),
    };
    this.#projects.set(project, own);
    if (own.atOnce >= mostAtOnce)
      throw new OutboundError(
        `The functions of this project already have ${mostAtOnce} requests in progress.`,
      );
    if (performance.now() - own.since > 60_000) Object.assign(own, { bytes: 0, since: performance.now() });
    own.atOnce += 1;
    return own;
  }

  async #follow(
    own: ProjectEgress,
    request: IncomingMessage,
    signal: AbortSignal,
  ): Promise<{ answer: Dispatcher.ResponseData; url: URL; isRedirected: boolean }> {
    const mode = request.headers['x-plinth-redirect'] ?? 'follow';
    let url = readTarget(String(request.headers['x-plinth-target'] ?? ''));
    let method = request.method ?? 'GET';
    const headers = handedOn(request.headers);
    let body: Readable | null = method === 'GET' || method === 'HEAD' ? null : request;
    for (let hop = 0; ; hop += 1) {
      this.#checkLiteral(url);
      const answer = await this.#send(own, url, { method, headers, body, signal });
      const { location } = answer.headers;
      const isRedirected = hop > 0;
      const keepsMethod = answer.statusCode === 307 || answer.statusCode === 308;
      // A body that was streamed cannot be sent again: the code gets the redirect.
      const isEnd = !redirects.has(answer.statusCode) || mode === 'manual' || (keepsMethod && body !== null);
      if (isEnd || typeof location !== 'string') return { answer, url, isRedirected };
      await answer.body.dump();
      if (mode === 'error') throw new OutboundError(`${url.host} returned a redirect.`);
      if (hop >= mostRedirects)
        throw new OutboundError(`${url.host} redirects more than ${mostRedirects} times.`);
      const next = readTarget(URL.canParse(location, url.href) ? new URL(location, url).href : '');
      if (next.origin !== url.origin) for (const name of credentials) delete headers[name];
      if (!keepsMethod && method !== 'HEAD') {
        method = 'GET';
        body = null;
        for (const name of ['content-length', 'content-type']) delete headers[name];
      }
      url = next;
    }
  }

  async #send(
    own: ProjectEgress,
    url: URL,
    {
      method,
      headers,
      body,
      signal,
    }: { method: string; headers: Headers; body: Readable | null; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    const { request } = await this.#undici();
    try {
      return await request(url, {
        method: method,
        headers,
        body: body && body.pipe(counting(own)),
        dispatcher: own.agent,
        signal,
      });
    } catch (error) {
      throw toOutboundError(url.host, error);
    }
  }

  /** An address in the place of a name is looked up by nobody, so it is checked here. */
  #checkLiteral({ hostname }: URL): void {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.#isAllowed(host))
      throw new OutboundError(
        `${host} is not a public address. An operator can allow it with FUNCTIONS_EGRESS_ALLOW.`,
      );
  }
}

/** Passes bytes on until the project has used up its share. */
function counting(own: ProjectEgress): PassThrough {
  return new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      own.bytes += chunk.length;
      if (own.bytes > bytesPerMinute)
        done(
          new OutboundError('The functions of this project have sent and received 256 MB within a minute.'),
        );
      else done(null, chunk);
    },
  });
}

/** What the other side is told: nothing of ours, nothing of the connection. */
function handedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const kept: Headers = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !hopByHop.has(name) && !name.startsWith(ownPrefix)) kept[name] = value;
  return kept;
}

function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new OutboundError('Only URLs that start with http:// or https:// can be fetched.');
  return url;
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const words = error instanceof OutboundError ? error.message : 'The call failed.';
  response.writeHead(502, { 'x-plinth-refused': words.replace(/[^\x20-\x7e]/g, '?').slice(0, 300) }).end();
}
