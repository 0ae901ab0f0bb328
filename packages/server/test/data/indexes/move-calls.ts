import { Agent, request } from 'node:http';

/** One call and how long it took. */
export interface Sample {
  readonly what: string;
  readonly startedAt: number;
  readonly ms: number;
}

export interface Answered {
  readonly status: number;
  readonly etag: string | undefined;
  /** The parsed body; whoever reads it says what is in it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Calls several nodes over kept connections, and notes how long each call takes. */
export class Calls implements Disposable {
  readonly samples: Sample[] = [];
  readonly nodes: readonly string[];
  readonly #apiKey: string;
  // In turns, so that none is idle for so long that the node closes it while it is used again.
  readonly #agent = new Agent({ keepAlive: true, scheduling: 'fifo', timeout: 30_000 });

  constructor(nodes: readonly string[], apiKey: string) {
    this.nodes = nodes;
    this.#apiKey = apiKey;
  }

  async call(
    what: string,
    node: number,
    { method = 'GET', path, body }: { method?: string; path: string; body?: unknown },
  ): Promise<Answered> {
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(`${this.nodes[node]}${path}`, {
      agent: this.#agent,
      method,
      headers: {
        'x-api-key': this.#apiKey,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
    });
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const content = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode!, etag: answer.headers.etag, body: JSON.parse(content) });
      });
    });
    sent.on('error', reject);
    sent.end(text);
    try {
      return await promise;
    } finally {
      this.samples.push({ what, startedAt, ms: performance.now() - startedAt });
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
