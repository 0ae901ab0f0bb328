import { answerTooLarge } from './errors.ts';

/** What one call may take of a node that it shares with the calls of everybody else. */
export const budgets = {
  /** Bytes of JSON in an answer. A list that would have more ends early. @limit answer_too_large bytes */
  answerBytes: 4 * 1_048_576,
  /** Bytes of JSON in all pages of a snapshot. @limit snapshot_too_large bytes */
  snapshotBytes: 16 * 1_048_576,
  /** Ways through links that a query takes, its rules included: each is a search of its own. @limit query_too_broad */
  queryLinks: 200,
  /** Values that a query compares with, counted once for each way. @limit query_too_broad */
  queryValues: 10_000,
  /** How long a collection’s schema takes to be read, and to be held against all documents of the call. @limit schema_too_slow ms */
  schemaMs: 2000,
} as const;

/** Bytes that a call reads into its answer, as long as there are some left. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number = budgets.answerBytes) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw answerTooLarge(budgets.answerBytes);
  }
}
