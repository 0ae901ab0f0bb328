import { availableParallelism } from 'node:os';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { moduleBeside, ThreadEnded } from '../../../platform/concurrency/thread.ts';
import { ThreadPool } from '../../../platform/concurrency/thread-pool.ts';
import { schemasBusy } from './errors.ts';
import type { SchemaAnswer, SchemaJob } from './schema-worker.ts';

/** How long a job is left where those of others wait behind it. */
const longestQuickMs = 100;
/** A schema whose jobs take more of a processor than this goes elsewhere for so long. */
const slow = { fromMs: 20, forMs: 60_000 };
/** Jobs on the quick thread, of all projects and of one: what one has there, another may have to wait for. */
const quickTurns = { places: 64, share: 8, mostWaiting: 1000 };
/** Nobody has all of them. */
const slowCount = Math.max(2, Math.floor(availableParallelism() / 2));
const mostWaitingForSlow = 20;

const thread = {
  module: moduleBeside(import.meta.url, 'schema-worker'),
  // Jobs have a limit of their own, far below. This is for what cannot be stopped otherwise.
  longestMs: 10_000,
  memory: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  longestWaitMs: 5000,
};

/** A schema as it is sent to a thread, and how it has done there. */
interface KnownSchema {
  readonly text: string;
  slowUntil: number;
}

/**
 * The threads that hold documents against schemas. A thread for all does what takes no time, as nearly everything does.
 * What is not done in a moment there goes where projects wait for each other.
 */
export class SchemaThreads {
  readonly #quick = new ThreadPool<SchemaJob, SchemaAnswer>({
    ...thread,
    count: 1,
    turns: new FairSemaphore(quickTurns.places, quickTurns.share, quickTurns.mostWaiting),
  });
  readonly #slow = new ThreadPool<SchemaJob, SchemaAnswer>({
    ...thread,
    count: slowCount,
    isBackground: true,
    turns: new FairSemaphore(slowCount, undefined, mostWaitingForSlow),
  });
  readonly #known = new WeakMap<object, KnownSchema>();

  /** The text of a schema. Collections are cached, and so is this. */
  textOf(schema: object): string {
    return this.#knownAs(schema).text;
  }

  async run(projectId: string, schema: object, asked: Omit<SchemaJob, 'schema'>): Promise<SchemaAnswer> {
    const known = this.#knownAs(schema);
    const job = { ...asked, schema: known.text };
    if (known.slowUntil < performance.now()) {
      const answer = await runOn(this.#quick, projectId, {
        ...job,
        limitMs: Math.min(asked.limitMs, longestQuickMs),
      });
      if (answer.tookMs > slow.fromMs) known.slowUntil = performance.now() + slow.forMs;
      if (answer.verdict.kind !== 'cut') return answer;
    }
    const answer = await runOn(this.#slow, projectId, job);
    if (!isStarved(answer, job)) return answer;
    return runOn(this.#slow, projectId, { ...job, limitMs: 2 * job.limitMs });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#quick.stop(), this.#slow.stop()]);
  }

  #knownAs(schema: object): KnownSchema {
    let known = this.#known.get(schema);
    if (!known) {
      known = { text: JSON.stringify(schema), slowUntil: 0 };
      this.#known.set(schema, known);
    }
    return known;
  }
}

/** Was it cut off although it had little of a processor? On a busy machine time passes without it. */
function isStarved({ verdict, tookMs }: SchemaAnswer, { limitMs }: SchemaJob): boolean {
  return verdict.kind === 'cut' && tookMs < limitMs / 2;
}

async function runOn(
  threads: ThreadPool<SchemaJob, SchemaAnswer>,
  projectId: string,
  job: SchemaJob,
): Promise<SchemaAnswer> {
  try {
    const answer = await threads.run(projectId, job);
    if (!answer) throw schemasBusy();
    return answer;
  } catch (error) {
    if (error instanceof ThreadEnded)
      return { verdict: { kind: 'cut', misfits: [], looked: 0 }, tookMs: job.limitMs };
    throw error;
  }
}
