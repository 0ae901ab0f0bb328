import { forgetEndedSessions } from './features/app-users/index.ts';
import { forgetOldFlows } from './features/auth-flows/index.ts';
import { forgetOldKeys, purgeCell } from './features/documents/index.ts';
import { forgetOldOAuth } from './features/identities/index.ts';
import { dropUnused, forgetOldShapes } from './features/indexes/index.ts';
import { forgetMailCounts } from './features/messages/index.ts';
import { forgetOldPasskeyChallenges } from './features/passkeys/index.ts';
import type { Project } from './features/projects/index.ts';
import { forgetOldTickets } from './features/realtime/index.ts';
import { sweepLooseBlobs } from './features/storage/index.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import type { Cells } from './platform/db/cells.ts';
import { forgetGivenUpJobs } from './platform/jobs/manage-jobs.ts';
import type { Log } from './platform/log.ts';

const everyMs = 30_000;
const hourMs = 3_600_000;

interface SweeperServices {
  readonly cells: Cells;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** Tidies every cell now and then, and soon after something was deleted. Any node may do any of it. */
export class Sweeper {
  readonly #cells: Cells;
  readonly #blobs: BlobStore;
  readonly #log: Log;
  readonly #findProject: SweeperServices['findProject'];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  readonly #nextHour = new Map<number, number>();

  constructor(services: SweeperServices) {
    this.#cells = services.cells;
    this.#blobs = services.blobs;
    this.#log = services.log;
    this.#findProject = services.findProject;
  }

  start(): void {
    // Spread over time, so that nodes started together do not sweep together.
    this.#timer = setInterval(() => this.soon(), everyMs * (0.75 + Math.random() / 2)).unref();
  }

  /** Starts a sweep, or lets the running one go round again. */
  soon(): void {
    if (this.#stopped) return;
    if (this.#running) this.#again = true;
    else this.#running = this.#sweep();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweep(): Promise<void> {
    do {
      this.#again = false;
      for (const number of this.#cells.numbers) await this.#sweepCell(number);
    } while (this.#again && !this.#stopped);
    this.#running = undefined;
  }

  /** What reads whole tables. */
  async #hourly(number: number): Promise<void> {
    const now = performance.now();
    if (now < (this.#nextHour.get(number) ?? 0)) return;
    this.#nextHour.set(number, now + hourMs);
    await forgetOldShapes(this.#cells.pool(number));
    await dropUnused(this.#cells.pool(number), this.#findProject);
  }

  async #sweepCell(number: number): Promise<void> {
    if (this.#stopped) return;
    try {
      await purgeCell(this.#cells.pool(number), () => this.#stopped);
      await forgetOldKeys(this.#cells.pool(number));
      await forgetEndedSessions(this.#cells.pool(number));
      await forgetOldFlows(this.#cells.pool(number));
      await forgetMailCounts(this.#cells.pool(number));
      await forgetGivenUpJobs(this.#cells.pool(number));
      await forgetOldOAuth(this.#cells.pool(number));
      await forgetOldPasskeyChallenges(this.#cells.pool(number));
      await forgetOldTickets(this.#cells.pool(number));
      await this.#hourly(number);
      await sweepLooseBlobs(this.#cells.pool(number), this.#blobs, () => this.#stopped);
    } catch (error) {
      this.#log.warn({ err: error, cell: number }, 'sweeping a cell failed; it is tried again');
    }
  }
}
