import { budgets } from '../../../calls/index.ts';
import { queryTooBroad } from './errors.ts';

/** What a query makes PostgreSQL do, its rules and those of linked collections included. */
export class QueryCost {
  #links = 0;
  #values = 0;

  addLink(): void {
    this.#links += 1;
    if (this.#links > budgets.queryLinks) throw queryTooBroad();
  }

  addValues(count: number): void {
    this.#values += count;
    if (this.#values > budgets.queryValues) throw queryTooBroad();
  }
}
