import { LRUCache } from 'lru-cache';
import type { KeyUse } from '../../../calls/gate/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { upTo } from '../../../platform/up-to.ts';
import { noteKeysInBrowser } from '../projects/index.ts';
import { saveUses } from './store.ts';

const flushEveryMs = 10_000;
/** What is written of a key is written again after so long. */
const freshForMs = 300_000;
/** Keys and projects that wait to be written. What does not fit is noted with a later call. */
const mostWaiting = 10_000;
const batchSize = 1000;

interface Seen {
  readonly id: string;
  readonly at: Date;
  readonly isInBrowser: boolean;
}

/** Remembers when keys were used, and by browsers, and writes it now and then: no call waits for it. */
export class KeyUses {
  readonly #control: ControlDb;
  readonly #log: Log;
  /** Further keys by id, and API keys by `project` and its id. */
  readonly #waiting = new Map<string, Seen>();
  /** Those that need not be written yet. */
  readonly #fresh = new LRUCache<string, true>({ ...upTo(50_000), ttl: freshForMs });
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(control: ControlDb, log: Log) {
    this.#control = control;
    this.#log = log;
  }

  start(): void {
    const failed = reporting(this.#log, 'uses of API keys could not be recorded');
    // Spread over time, so that nodes started together do not write together.
    const everyMs = flushEveryMs * (0.75 + Math.random() / 2);
    this.#timer = setInterval(
      guarded(failed, () => this.flush()),
      everyMs,
    ).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(() => {});
  }

  readonly note = ({ project, key, isInBrowser }: KeyUse): void => {
    // Nobody asks when the API key itself was used: servers use it all the time.
    if (!key && !isInBrowser) return;
    const name = key?.id ?? `project ${project.id}`;
    const kind = `${isInBrowser ? 'browser' : 'server'} ${name}`;
    if (this.#fresh.has(kind) || (this.#waiting.size >= mostWaiting && !this.#waiting.has(name))) return;
    this.#fresh.set(kind, true);
    const before = this.#waiting.get(name);
    this.#waiting.set(name, {
      id: key?.id ?? project.id,
      at: new Date(),
      isInBrowser: isInBrowser || (before?.isInBrowser ?? false),
    });
  };

  /** What cannot be written is forgotten: a later call tells it again. */
  async flush(): Promise<void> {
    const seen = [...this.#waiting];
    this.#waiting.clear();
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write(seen));
    return this.#flushing;
  }

  async #write(seen: readonly (readonly [string, Seen])[]): Promise<void> {
    const ofProjects = seen.filter(([name]) => name.startsWith('project ')).map(([, one]) => one);
    const ofKeys = seen.filter(([name]) => !name.startsWith('project ')).map(([, one]) => one);
    for (const batch of inBatches(ofKeys)) await saveUses(this.#control, batch);
    for (const batch of inBatches(ofProjects)) await noteKeysInBrowser(this.#control, batch);
  }
}

function* inBatches(seen: readonly Seen[]): Generator<readonly Seen[]> {
  for (let at = 0; at < seen.length; at += batchSize) yield seen.slice(at, at + batchSize);
}
