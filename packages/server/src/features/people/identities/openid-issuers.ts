import { LRUCache } from 'lru-cache';
import type { ClientAuth, Configuration, CustomFetch, ExportedJWKSCache } from 'openid-client';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { upTo } from '../../../platform/up-to.ts';

/** Loaded by the first sign-in at a provider: most nodes never need it. */
export const loadOpenIdClient = () => import('openid-client');

interface KnownIssuer {
  readonly description: string;
  signingKeys?: ExportedJWKSCache;
}

const hourMs = 3_600_000;

/** What OpenID Connect issuers say of themselves, kept for an hour. */
export class OpenIdIssuers {
  readonly #outbound: Pick<Outbound, 'fetch'>;
  readonly #known = new LRUCache<string, KnownIssuer>({ ...upTo(1000), ttl: hourMs });

  constructor(outbound: Pick<Outbound, 'fetch'>) {
    this.#outbound = outbound;
  }

  /** A client of the issuer. It also checks the signature of ID tokens, which the protocol does not demand. */
  async client(issuer: string, clientId: string, authentication: ClientAuth): Promise<Configuration> {
    const openId = await loadOpenIdClient();
    const known = this.#known.get(issuer);
    let description = known?.description;
    const describe: CustomFetch = async (url, options) => {
      if (description !== undefined) return asJson(description);
      const answer = await this.#fetch(url, options);
      if (answer.status !== 200) return answer;
      description = await answer.text();
      return asJson(description);
    };
    const client = await openId.discovery(new URL(issuer), clientId, {}, authentication, {
      [openId.customFetch]: describe,
      // Which addresses may be called without encryption is decided by `Outbound`, and by it alone.
      execute: [openId.allowInsecureRequests, openId.enableNonRepudiationChecks],
    });
    client[openId.customFetch] = this.#fetch;
    if (known?.signingKeys) openId.setJwksCache(client, known.signingKeys);
    // Only now: a description that could not be understood is asked for again.
    if (!known && description !== undefined) this.#known.set(issuer, { description });
    return client;
  }

  /** Keeps the issuer's keys that a client has fetched. */
  async keepKeys(issuer: string, client: Configuration): Promise<void> {
    const { getJwksCache } = await loadOpenIdClient();
    const keys = getJwksCache(client);
    const known = this.#known.get(issuer);
    if (known && keys) known.signingKeys = keys;
  }

  readonly #fetch: CustomFetch = (url, { method, headers, body, signal }) =>
    this.#outbound.fetch(url, {
      method,
      headers,
      ...(body instanceof URLSearchParams && { body }),
      ...(signal && { signal }),
    });
}

function asJson(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}
