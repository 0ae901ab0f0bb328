import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const [everyMs, withinMs] = [100, 1000];

/**
 * What a plain client of the database sees of a fault: it connects anew and commits a row, ten times a second. The service
 * cannot do better than that, and is measured by it.
 */
export class Probe {
  /** When a commit was answered. */
  readonly commits: number[] = [];
  readonly #databaseUrl: string;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(): Promise<void> {
    await this.#run('CREATE TABLE IF NOT EXISTS public.probe (at timestamptz)');
    this.#running = this.#go();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #go(): Promise<void> {
    while (!this.#isOver) {
      const isDone = await this.#run('INSERT INTO public.probe VALUES (now())').then(
        () => true,
        () => false,
      );
      if (isDone) this.commits.push(performance.now());
      await sleep(everyMs);
    }
  }

  async #run(statement: string): Promise<void> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(statement);
    } finally {
      client.end().catch(() => {});
    }
  }
}
