import { answerTooLarge } from './errors.ts';

/** What one call may take of a node that it shares with the calls of everybody else. */
export const budgets = {
  /** JSON in a response. A list that would exceed it ends early. @limit answer_too_large bytes */
  answerBytes: 4 * 1_048_576,
  /** JSON in all pages of a snapshot. @limit snapshot_too_large bytes */
  snapshotBytes: 16 * 1_048_576,
  /** Paths through links in a query, including its rules: each is a separate search. @limit query_too_broad */
  queryLinks: 200,
  /** Values that a query compares with, counted once for each path. @limit query_too_broad */
  queryValues: 10_000,
  /** Time to compile a collection’s schema and validate all documents of a request. @limit schema_too_slow ms */
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
