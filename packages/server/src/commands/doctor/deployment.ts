import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { openBlobStore } from '../../platform/blobs/open-blob-store.ts';
import { type Config, parseCells } from '../../platform/config/config.ts';
import { Cells } from '../../platform/db/cells.ts';
import { ControlDb } from '../../platform/db/control-db.ts';
import { createLog } from '../../platform/log.ts';
import { type RedisFacts, readRedisFacts } from '../../platform/redis/redis-facts.ts';
import { CellUnderTest } from './cell-under-test.ts';

const answerWithinMs = 4000;

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is checked: everything that the configuration names. Nothing connects before a check asks for it. */
export class Deployment {
  readonly config: Config;
  readonly environment: Environment;
  readonly cells: readonly CellUnderTest[];
  /** How many processes of nodes there are to be, if that was said. */
  readonly processes: number | undefined;
  readonly control: ControlDb;
  readonly #pools: Cells;
  #redis: Promise<RedisFacts> | undefined;
  #blobs: Promise<BlobStore> | undefined;

  constructor(config: Config, environment: Environment, processes?: number) {
    const urls = parseCells(config);
    this.config = config;
    this.environment = environment;
    this.processes = processes;
    this.cells = Array.from(urls, ([number, url]) => new CellUnderTest(number, url));
    this.#pools = new Cells(
      urls,
      { size: 2, statementTimeoutMs: answerWithinMs, connectTimeoutMs: answerWithinMs },
      createLog('silent'),
    );
    this.control = new ControlDb(this.#pools.pool(1), { isReading: true });
  }

  /** Undefined: there is none. */
  redis(): Promise<RedisFacts> | undefined {
    const { REDIS_URL: url } = this.config;
    if (url !== undefined) this.#redis ??= readRedisFacts(url, answerWithinMs);
    return this.#redis;
  }

  blobs(): Promise<BlobStore> {
    this.#blobs ??= openBlobStore(this.config);
    return this.#blobs;
  }

  async close(): Promise<void> {
    for (const cell of this.cells) cell.close();
    await (await this.#blobs?.catch(() => undefined))?.close();
    await this.#pools.close();
  }
}
