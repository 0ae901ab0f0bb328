import type { Cells } from './cells.ts';
import type { ProjectDb, ProjectLocation } from './project-db.ts';

/** More than these of one project do not wait for their turn. */
const mostWaiting = 100;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Reads that may go through a whole collection. They have connections of their own with a shorter time limit, and each
 * project has a share of them: however slow its queries are, it can keep neither writes nor other projects waiting.
 */
export class Scans {
  readonly #cells: Cells;
  readonly #share: number;
  readonly #turns = new Map<string, Turns>();

  constructor(cells: Cells) {
    this.#cells = cells;
    this.#share = Math.max(1, Math.floor(cells.scanConnections / 2));
  }

  /** Does the work when it is the project's turn; undefined if too much waits already. */
  async run<Result>(
    project: ProjectLocation,
    work: (db: ProjectDb) => Promise<Result>,
  ): Promise<Result | undefined> {
    const turns = this.#turns.get(project.id) ?? { running: 0, waiting: [] };
    this.#turns.set(project.id, turns);
    if (turns.waiting.length >= mostWaiting) return undefined;
    if (turns.running >= this.#share) await new Promise<void>((go) => turns.waiting.push(go));
    else turns.running += 1;
    try {
      return await work(this.#cells.forScans(project));
    } finally {
      // Whoever is next takes over the place.
      const next = turns.waiting.shift();
      if (next) next();
      else if ((turns.running -= 1) === 0) this.#turns.delete(project.id);
    }
  }
}
