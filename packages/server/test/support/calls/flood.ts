import { Agent, request } from 'node:http';

interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** One call over a kept connection; its status, once the answer is read. */
function send(agent: Agent, { method, url, headers, body }: Call): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
      },
      (answer) => answer.resume().once('end', () => resolve(answer.statusCode!)),
    );
    sent.once('error', reject);
    sent.end(text);
  });
}

interface Flood {
  /** How many calls were answered, by status. */
  readonly answered: ReadonlyMap<number, number>;
  stop(): Promise<void>;
}

/** Makes calls as fast as `connections` connections can, until told to stop. */
export function flood(connections: number, next: () => Call): Flood {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses = new Map<number, number>();
  const end = new AbortController();
  const workers = Array.from({ length: connections }, async () => {
    while (!end.signal.aborted) {
      const status = await send(agent, next());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  return {
    answered: statuses,
    async stop() {
      end.abort();
      await Promise.all(workers);
      agent.destroy();
    },
  };
}

/** How long calls take, in milliseconds, for a while and at a concurrency. */
export async function timesOf(concurrency: number, forMs: number, next: () => Call): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  const end = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const start = performance.now();
        const status = await send(agent, next());
        if (status !== 200) throw new Error(`A read answered ${status}.`);
        times.push(performance.now() - start);
      }
    }),
  );
  agent.destroy();
  return times;
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
