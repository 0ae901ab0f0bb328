import { LRUCache } from 'lru-cache';
import type { Bus } from '../../../platform/bus/bus.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { upTo } from '../../../platform/up-to.ts';
import { tooManyWatchers } from './errors.ts';
import { passes, type RequestFilter } from './request-filter.ts';
import { type KeptRequest, type RequestRecord, shown } from './request-record.ts';

/** Where watchers say which project they watch. */
const watchersChannel = 'log-watchers';
const channelOf = (projectId: string) => `log:${projectId}`;

const announceEveryMs = 3000;
/** A watcher that was not heard of for so long is gone. */
const believedForMs = 10_000;
const publishEveryMs = 200;
const mostProjects = 1000;
/** Open live streams of requests, per process. @limit rate_limited */
const mostWatchers = 200;
/** Open live streams of requests, per account. @limit rate_limited */
const mostWatchersOfAccount = 10;
/** Of a project between two messages. More than that nobody reads. */
const mostInMessage = 100;
const mostWaiting = 500;

interface Watch {
  readonly projectId: string;
  readonly accountId: string;
  readonly filter?: RequestFilter;
}

/**
 * Calls as they come, for whoever watches. Watchers say every few seconds which project they watch; only then do nodes tell
 * of its calls.
 */
export class RequestTail {
  readonly #bus: Bus;
  readonly #log: Log;
  readonly #watchedUntil = new LRUCache<string, number>(upTo(mostProjects));
  readonly #unsent = new Map<string, KeptRequest[]>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;
  /** The account of each. */
  readonly #watchers: string[] = [];

  constructor(bus: Bus, log: Log) {
    this.#bus = bus;
    this.#log = log;
  }

  start(): void {
    guarded(reporting(this.#log, 'watchers of the request log cannot be reached'), () =>
      this.#hearWatchers(),
    )();
  }

  async #hearWatchers(): Promise<void> {
    this.#stopListening = await this.#bus.listen(watchersChannel, (projectId) => {
      this.#watchedUntil.set(projectId, performance.now() + believedForMs);
    });
  }

  stop(): void {
    this.#stopListening?.();
    clearTimeout(this.#timer);
  }

  /** Tells of a call, if somebody watches. */
  tell(projectId: string, record: KeptRequest): void {
    if (this.#watchedUntil.size === 0) return;
    if ((this.#watchedUntil.get(projectId) ?? 0) < performance.now()) return;
    const unsent = this.#unsent.get(projectId) ?? [];
    this.#unsent.set(projectId, unsent);
    if (unsent.length < mostInMessage) unsent.push(record);
    this.#timer ??= setTimeout(
      guarded(this.#ignore, () => this.#publish()),
      publishEveryMs,
    ).unref();
  }

  async #publish(): Promise<void> {
    this.#timer = undefined;
    const messages = [...this.#unsent];
    this.#unsent.clear();
    await Promise.all(
      messages.map(([projectId, records]) =>
        this.#bus.publish(channelOf(projectId), JSON.stringify(records)),
      ),
    );
  }

  /** What could not be told was not watched, and the list has it. */
  readonly #ignore = (error: unknown) =>
    this.#log.debug({ err: error }, 'requests could not be sent to watchers of the request log');

  /** The project's calls from now on, until the signal. Whoever takes them too slowly misses some. */
  async watch(
    { projectId, accountId, filter = {} }: Watch,
    signal: AbortSignal,
  ): Promise<AsyncIterable<RequestRecord>> {
    const ofAccount = this.#watchers.filter((id) => id === accountId).length;
    if (this.#watchers.length >= mostWatchers || ofAccount >= mostWatchersOfAccount) throw tooManyWatchers();
    this.#watchers.push(accountId);
    const waiting: KeptRequest[] = [];
    let wake = () => {};
    const announce = guarded(this.#ignore, () => this.#bus.publish(watchersChannel, projectId));
    const timer = setInterval(announce, announceEveryMs).unref();
    const listening = this.#bus.listen(channelOf(projectId), (text) => {
      const told = JSON.parse(text) as KeptRequest[];
      waiting.push(...told.filter((request) => passes(request, filter)));
      waiting.splice(0, waiting.length - mostWaiting);
      wake();
    });
    const end = guarded(this.#ignore, async () => {
      this.#watchers.splice(this.#watchers.indexOf(accountId), 1);
      clearInterval(timer);
      wake();
      (await listening)();
    });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    await listening;
    announce();
    return taken(waiting, signal, (resume) => {
      wake = resume;
    });
  }
}

/** What waits, one by one; while nothing does, it is told how to be woken. */
async function* taken(
  waiting: KeptRequest[],
  signal: AbortSignal,
  sleep: (resume: () => void) => void,
): AsyncGenerator<RequestRecord> {
  while (!signal.aborted) {
    const record = waiting.shift();
    if (record) yield shown(record);
    else await new Promise<void>(sleep);
  }
}
