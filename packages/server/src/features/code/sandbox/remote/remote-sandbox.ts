import { createHash } from 'node:crypto';
import { ConfigError } from '../../../../platform/config/config.ts';
import { type Code, type Invocation, type SandboxAnswer, SandboxError } from '../invocation.ts';
import type { CodeRunner } from '../sandbox.ts';
import type { ServiceDoor } from '../service-calls.ts';
import { PoolLink } from './pool-link.ts';
import { askPool, sendToPool, unreachable } from './send-to-pool.ts';

/** Pools that a call is offered to, one after another. */
const mostTried = 3;
const describeMs = 10_000;

/**
 * Has code run on machines that do nothing else. A version is always given to the same one of them, where its processes
 * are; to the next only if that one cannot be reached or has no place.
 */
export class RemoteSandbox implements CodeRunner {
  readonly #links: readonly PoolLink[];

  constructor({ urls, secret, service }: { urls: string; secret: string; service: ServiceDoor }) {
    const given = urls.split(/[\s,]+/).filter(Boolean);
    for (const url of given)
      if (!/^tls:\/\/[^/?#@]+:\d+$/.test(url) || !URL.canParse(url))
        throw new ConfigError(`FUNCTIONS_POOL_URLS: "${url}" is not of the form tls://10.0.0.5:4400.`);
    this.#links = given.map((url) => new PoolLink(url, secret, service));
  }

  async invoke(call: Invocation): Promise<SandboxAnswer> {
    const { code, token, deadlineMs } = call;
    const deadline = performance.now() + deadlineMs;
    return this.#somewhere(code, async (link) => {
      const left = Math.ceil(deadline - performance.now());
      if (left <= 0) throw new SandboxError('busy', 'All processes of the function are busy.');
      const { result, end } = await link.use(
        { project: code.project, folder: code.folder, token },
        (session, id) => sendToPool(session, id, { ...call, deadlineMs: left }),
      );
      result.ended.then(end, end);
      return result;
    });
  }

  async describe(code: Code, files: readonly string[]): Promise<string> {
    return this.#ask('/describe', code, { files });
  }

  async warm(code: Code): Promise<void> {
    await this.#ask('/warm', code, {});
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.close();
  }

  #ask(path: '/describe' | '/warm', code: Code, more: { files?: readonly string[] }): Promise<string> {
    const { project, version, folder } = code;
    return this.#somewhere(code, async (link) => {
      // No token: modules that are only loaded ask the service for nothing.
      const { result, end } = await link.use({ project, folder, token: '' }, (session, id) =>
        askPool(session, path, { id, code: { project, version }, ...more }, describeMs),
      );
      end();
      return result;
    });
  }

  async #somewhere<Result>(code: Code, work: (link: PoolLink) => Promise<Result>): Promise<Result> {
    const failures: SandboxError[] = [];
    for (const link of this.#ranked(code).slice(0, mostTried))
      try {
        return await work(link);
      } catch (error) {
        if (!(error instanceof SandboxError) || !hasNotBegun(error)) throw error;
        failures.push(error);
      }
    throw failures.find(({ reason }) => reason === 'busy') ?? failures.at(-1) ?? unreachable();
  }

  /** Rendezvous hashing: when a pool comes or goes, only its own versions move. */
  #ranked({ project, version }: Code): PoolLink[] {
    const rankOf = ({ url }: PoolLink) =>
      createHash('sha256').update(`${url} ${project}/${version}`).digest('hex');
    return this.#links
      .map((link) => ({ link, rank: `${link.isGood ? 1 : 0}${rankOf(link)}` }))
      .toSorted((a, b) => (a.rank < b.rank ? 1 : -1))
      .map(({ link }) => link);
  }
}

const hasNotBegun = ({ reason }: SandboxError): boolean => reason === 'busy' || reason === 'unreachable';
