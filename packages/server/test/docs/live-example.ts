import { expect } from 'vitest';
import { credentialsOf, expectPart, fill, type Kept, type Target } from '../support/http-example.ts';
import { LiveClient } from '../support/live-client.ts';
import type { Block } from '../support/markdown.ts';

/**
 * Realtime connections as the pages write them in `live` blocks. The first line says whose connection it is, as for a
 * call; it stays open for later blocks, unless one says `, a new connection`. With `, without a project` it goes to the
 * bare address. After `>` comes what is sent, after `<` a part of what comes, or `closed` and the code.
 */
export class LiveExamples implements AsyncDisposable {
  readonly #server: string;
  readonly #target: Target;
  readonly #kept: Kept;
  readonly #clients = new Map<string, LiveClient>();

  constructor(server: string, target: Target, kept: Kept) {
    this.#server = server;
    this.#target = target;
    this.#kept = kept;
  }

  async run({ text }: Block): Promise<void> {
    const [title = '', ...lines] = text.trim().split('\n');
    const [, as, more] =
      /^# as ([a-z-]+(?: and [a-z-]+)?)(?:, (a new connection|without a project))?$/.exec(title) ?? [];
    if (as === undefined) throw new Error(`It does not say whose connection it is: ${title}`);
    if (more !== undefined) await this.#close(as);
    const client =
      this.#clients.get(as) ?? (await this.#open(as, more === 'without a project' ? '' : undefined));
    for (const line of lines.filter((line) => line !== '')) await this.#step(client, line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const as of this.#clients.keys()) await this.#close(as);
  }

  async #open(as: string, path?: string): Promise<LiveClient> {
    const { base, apiKey } = this.#target;
    const address = path === undefined ? base : this.#server;
    const client = new LiveClient(`${address}/realtime`, credentialsOf(as, apiKey, this.#kept));
    this.#clients.set(as, client);
    await new Promise((open) => client.socket.once('open', open));
    return client;
  }

  async #close(as: string): Promise<void> {
    await this.#clients.get(as)?.[Symbol.asyncDispose]();
    this.#clients.delete(as);
  }

  async #step(client: LiveClient, line: string): Promise<void> {
    const [, direction, what = ''] = /^([<>]) (.+)$/.exec(line) ?? [];
    if (direction === '>') client.socket.send(fill(what, this.#kept));
    else if (direction === '<' && what.startsWith('closed '))
      expect((await client.closed).code).toBe(Number(what.slice('closed '.length)));
    else if (direction === '<') await this.#expect(client, what);
    else throw new Error(`Neither sent nor received: ${line}`);
  }

  async #expect(client: LiveClient, shown: string): Promise<void> {
    const part = JSON.parse(shown) as { type: Parameters<LiveClient['next']>[0]; id?: string };
    const message = await client.next(
      part.type,
      (message) => part.id === undefined || ('id' in message && message.id === part.id),
    );
    expectPart(message, part, this.#kept);
  }
}
