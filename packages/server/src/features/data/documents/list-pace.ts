import { Shortcut } from './shortcut.ts';

/**
 * How a statement can be run: planned for its values, prepared, or together with others that are like it. The last two
 * save work, but their plan has to do for all values: PostgreSQL then guesses that `views >= $1` leaves a few rows, even
 * if it is nearly all of them, and may take a hundred times as long.
 */
export type Way = 'planned' | 'prepared' | 'together';

/** So often a statement is planned for its values before anything else is tried, and once in so many runs after that. */
const firstRuns = 3;
const runsBetween = 500;

/** Only what is quick is read together, and only so many that nobody waits long for the lists of others. */
const quickMs = 20;
const groupMs = 80;

/** What is known of one statement of one project: how long it takes, and so which way to run it is the best. */
export class ListPace {
  readonly #prepared = new Shortcut();
  readonly #together = new Shortcut();
  #runs = 0;
  #plannedMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.POSITIVE_INFINITY;

  /** The way to run it now. */
  next({ canMerge }: { canMerge: boolean }): Way {
    this.#runs += 1;
    if (this.#runs <= firstRuns || this.#runs % runsBetween === 0) return 'planned';
    if (canMerge && this.#lastMs < quickMs && this.#together.isOpen) return 'together';
    return this.wayAlone;
  }

  /** The way to run it without others. */
  get wayAlone(): Way {
    return this.#prepared.isOpen ? 'prepared' : 'planned';
  }

  /** How many of those that wait may go together: two, until it is known what that does. */
  get mostTogether(): number {
    if (!this.#together.isOpen) return 1;
    return this.#together.isProven ? Math.floor(groupMs / this.#lastMs) : 2;
  }

  note(way: Way, ms: number): void {
    // One that is planned now and then, among those that go together, takes longer than they do.
    if (way !== 'planned' || ms < this.#lastMs || !this.#together.isOpen) this.#lastMs = ms;
    if (way === 'prepared') this.#prepared.note(ms, this.#plannedMs);
    else if (way === 'together') this.#together.note(ms, this.#plannedMs);
    // Quickly down, slowly up: a single slow moment says little.
    else if (ms < this.#plannedMs) this.#plannedMs = ms;
    else this.#plannedMs += (ms - this.#plannedMs) / 10;
  }
}
