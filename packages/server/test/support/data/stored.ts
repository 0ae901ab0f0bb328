import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import { sql } from '../../../src/platform/db/sql.ts';
import type { TestApp } from '../test-app.ts';

interface Located {
  readonly ref: string;
  readonly cell: number;
}

/** What is in the tables, behind the API's back. `$1` is the project's id. */
export class Stored {
  readonly #t: TestApp;
  readonly #project: Located;
  #id: string | undefined;

  constructor(t: TestApp, project: Located) {
    this.#t = t;
    this.#project = project;
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#t.cells
      .pool(this.#project.cell)
      .query<Row>(text, [await this.projectId(), ...values]);
    return rows;
  }

  async projectId(): Promise<string> {
    if (this.#id === undefined) {
      const [row] = await this.#t.control.query<{ id: string }>(
        sql`SELECT id FROM control.projects WHERE ref = ${this.#project.ref}`,
      );
      this.#id = row!.id;
    }
    return this.#id;
  }

  /** The number that ids of the collection's documents carry, and how many rows its count has. */
  async collection(name: string): Promise<{ number: number; slots: number }> {
    const [row] = await this.query<{ number: number; slots: number }>(
      'SELECT number, count_slots AS slots FROM cell.collections WHERE project_id = $1 AND name = $2',
      [name],
    );
    return row!;
  }

  async documents(collection: number): Promise<number> {
    return this.#count('SELECT count(*) FROM cell.every_document WHERE project_id = $1 AND collection = $2', [
      collection,
    ]);
  }

  /** The table that a document is in. */
  async tableOf(id: string): Promise<string> {
    const [row] = await this.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM cell.every_document WHERE project_id = $1 AND id = $2',
      [id],
    );
    return row!.name;
  }

  /** The count rows of a collection: how many, and their sum. */
  async counted(collection: number): Promise<{ rows: number; sum: number }> {
    const [row] = await this.query<{ rows: string; sum: string }>(
      `SELECT count(*) AS rows, coalesce(sum(documents), 0) AS sum
       FROM cell.document_counts WHERE project_id = $1 AND collection = $2`,
      [collection],
    );
    return { rows: Number(row!.rows), sum: Number(row!.sum) };
  }

  async purges(): Promise<number> {
    return this.#count('SELECT count(*) FROM cell.purges WHERE project_id = $1', []);
  }

  async #count(text: string, values: unknown[]): Promise<number> {
    const [row] = await this.query<{ count: string }>(text, values);
    return Number(row!.count);
  }
}

/** Waits for something that happens after its answer, a minute at most unless told otherwise. */
export async function eventually(what: string, isTrue: () => Promise<boolean>, seconds = 60): Promise<void> {
  for (let tries = 0; tries < seconds * 50; tries += 1) {
    if (await isTrue()) return;
    await sleep(20);
  }
  throw new Error(`Not within ${seconds} s: ${what}`);
}
