import type { WorkerEvents } from 'graphile-worker';
import { guarded } from '../guarded.ts';

/** Keeps one project's jobs from taking all places of a node: while it has its share, only others' jobs are picked. */
export class JobTurns {
  readonly #share: number;
  readonly #running = new Map<string, number>();
  /** Jobs are picked one at a time: two picks at once could both take the last place of a share. */
  #picked: Promise<void> = Promise.resolve();
  #endPick = () => {};

  constructor(places: number) {
    this.#share = Math.ceil(places / 2);
  }

  /** Begins a pick once the one before has ended; returns the projects that have their share. */
  readonly beginPick = async (): Promise<string[]> => {
    const before = this.#picked;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#picked = promise;
    await before;
    this.#endPick = resolve;
    return [...this.#running].filter(([, count]) => count >= this.#share).map(([project]) => project);
  };

  /** Every pick ends in one of these: with a job, without one, or in a failure. */
  listenTo(events: WorkerEvents): void {
    const endPick = guarded(
      () => {},
      () => this.#endPick(),
    );
    events.on(
      'job:start',
      guarded(endPick, ({ job }) => {
        this.#add(job.payload, 1);
        this.#endPick();
      }),
    );
    events.on('worker:getJob:empty', endPick);
    events.on('worker:getJob:error', endPick);
    events.on(
      'job:complete',
      guarded(endPick, ({ job }) => this.#add(job.payload, -1)),
    );
  }

  #add(content: unknown, change: 1 | -1): void {
    const project = projectOf(content);
    if (project === undefined) return;
    const count = (this.#running.get(project) ?? 0) + change;
    if (count === 0) this.#running.delete(project);
    else this.#running.set(project, count);
  }
}

/** `addJob` names the project in every job. */
export function projectOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('projectId' in content)) return undefined;
  return typeof content.projectId === 'string' ? content.projectId : undefined;
}
