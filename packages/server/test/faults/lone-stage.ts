import { LonePostgres } from './lone-postgres.ts';
import { Nodes } from './nodes.ts';
import { RedisProcess } from './redis-process.ts';

interface StageOptions {
  /** Where PostgreSQL has its folder. */
  readonly folder?: string;
  /** Settings of every node. */
  readonly settings?: Record<string, string>;
  /** Settings of each node. */
  readonly each?: readonly Record<string, string>[];
}

/** The smallest deployment that can lose something: a PostgreSQL, a Redis, two nodes. */
export class LoneStage implements AsyncDisposable {
  readonly postgres: LonePostgres;
  readonly redis: RedisProcess;
  readonly nodes: Nodes;

  private constructor(postgres: LonePostgres, redis: RedisProcess, nodes: Nodes) {
    this.postgres = postgres;
    this.redis = redis;
    this.nodes = nodes;
  }

  static async open({ folder, each, ...more }: StageOptions = {}): Promise<LoneStage> {
    await using opened = new AsyncDisposableStack();
    const postgres = opened.use(await LonePostgres.start(folder));
    const redis = opened.use(await RedisProcess.start());
    const engines = { DATABASE_URL: postgres.linkedUrl, REDIS_URL: redis.url };
    const nodes = opened.use(await Nodes.start({ ...engines, ...more.settings }, each));
    opened.move();
    return new LoneStage(postgres, redis, nodes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nodes[Symbol.asyncDispose]();
    await this.redis[Symbol.asyncDispose]();
    await this.postgres[Symbol.asyncDispose]();
  }
}
