import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { findCollection, namesOf, notifyChanged } from '../../../src/features/data/collections/index.ts';
import { scheduleTending } from '../../../src/features/data/indexes/index.ts';
import { insertIndex } from '../../../src/features/data/indexes/store.ts';
import { moveCollection } from '../../../src/features/data/placement/move-collection.ts';
import type { Node } from '../../../src/node/node.ts';
import { Client } from '../client.ts';
import { Stored } from '../data/stored.ts';
import type { Body } from '../query/arbitrary-documents.ts';
import type { FlatDocument } from '../query/oracle.ts';
import { loadDocuments } from '../query/rounds.ts';
import { type TestApp, testApp } from '../test-app.ts';
import type { AskedIndex } from './arbitrary-indexes.ts';
import { untilBuilt } from './fill.ts';
import { doorTo } from './unique-collection.ts';

/** A collection in two projects, with the same documents under the same ids: one has indexes, the other has none. */
export interface Twins {
  readonly name: string;
  readonly documents: readonly FlatDocument[];
}

/** A service whose first project has indexes, and uses them however few documents there are. */
export class TwinStage implements AsyncDisposable {
  readonly t: TestApp;
  readonly #node: Node;
  /** With indexes. */
  readonly indexed: Client;
  readonly plain: Client;
  readonly #stored: Stored;
  readonly #other: Stored;

  static async open(): Promise<TwinStage> {
    const t = await testApp();
    const pool = t.cells.pool(t.projects[0].cell);
    const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
    for (const setting of ['enable_seqscan', 'enable_sort'])
      await pool.query(`ALTER DATABASE ${rows[0]!.name} SET ${setting} = off`);
    return new TwinStage(t, await t.node());
  }

  private constructor(t: TestApp, { app, url }: { app: Node; url: string }) {
    this.t = t;
    this.#node = app;
    this.indexed = new Client(url, { 'x-api-key': t.projects[0].apiKey });
    this.plain = t.projects[1].api;
    this.#stored = new Stored(t, t.projects[0]);
    this.#other = new Stored(t, t.projects[1]);
  }

  /** Twins of these documents. They come in three batches, and every third is touched: times are shared by many. */
  async load(name: string, bodies: readonly Body[]): Promise<Twins> {
    expect((await this.plain.post('/collections', { name })).status).toBe(201);
    const loaded = await loadDocuments(this.indexed, name, bodies, 3);
    const updates = loaded.documents.filter((_, at) => at % 3 === 1).map(({ id }) => ({ id }));
    const touched = await this.indexed.post(`/collections/${name}/batch-update`, { updates });
    expect(touched.status).toBe(200);
    const later = new Map((touched.body.data as FlatDocument[]).map((document) => [document.id, document]));
    await this.#copy(name);
    return { name, documents: loaded.documents.map((document) => later.get(document.id) ?? document) };
  }

  /** The same rows for the other project. Ids carry the number of the collection, so that must be the same. */
  async #copy(name: string): Promise<void> {
    const { number } = await this.#stored.collection(name);
    expect((await this.#other.collection(name)).number).toBe(number);
    const documents = await this.#stored.query(
      `SELECT id, version, updated_at, data::text FROM cell.every_document WHERE project_id = $1 AND collection = $2`,
      [number],
    );
    await this.#other.query(
      `INSERT INTO cell.every_document (project_id, collection, id, version, updated_at, data)
       SELECT $1, $2, id, version, updated_at, data::jsonb FROM jsonb_to_recordset($3)
         AS copied (id uuid, version int, updated_at bigint, data text)`,
      [number, JSON.stringify(documents)],
    );
    await this.#other.query(
      `UPDATE cell.document_counts SET documents = documents + $3 WHERE project_id = $1 AND collection = $2 AND slot = 0`,
      [number, documents.length],
    );
    const links = await this.#stored.query(
      'SELECT field, target, is_open FROM cell.links WHERE project_id = $1 AND collection = $2',
      [number],
    );
    for (const { field, target, is_open: isOpen } of links)
      await this.#other.query('INSERT INTO cell.links VALUES ($1, $2, $3, $4, $5)', [
        number,
        field,
        target,
        isOpen,
      ]);
    const names = await this.#stored.query(
      'SELECT name FROM cell.field_names WHERE project_id = $1 AND collection = $2',
      [number],
    );
    for (const { name } of names)
      await this.#other.query('INSERT INTO cell.field_names VALUES ($1, $2, $3)', [number, name]);
  }

  /** Moves the collection of the first project to a table of its own, as the service does. */
  async move(name: string): Promise<void> {
    const { number } = await this.#stored.collection(name);
    expect(await moveCollection(await doorTo(this.t), number, new AbortController())).toBe('moved');
    await this.#node.caughtUp();
  }

  /** True once the node has heard of all changes. */
  caughtUp(): Promise<boolean> {
    return this.#node.caughtUp();
  }

  /** Has indexes built by the service, and waits until its node uses them. */
  async build(name: string, indexes: readonly AskedIndex[]): Promise<void> {
    const once = new Map(indexes.map((index) => [JSON.stringify([index.kind, index.fields]), index]));
    for (const index of once.values()) {
      if (index.kind === 'statistics') await this.#addStatistics(name, index.fields);
      else {
        const { status, text } = await this.indexed.post(`/collections/${name}/indexes`, index);
        expect(status, text).toBe(201);
      }
    }
    const built = await untilBuilt(this.indexed, name);
    for (const { state, failure, note } of built)
      expect([state, failure, note]).toEqual(['ready', null, null]);
    await this.#node.caughtUp();
  }

  /** What only the service itself asks for. */
  async #addStatistics(name: string, fields: readonly string[]): Promise<void> {
    const db = await doorTo(this.t);
    const project = { id: await this.#stored.projectId(), ref: this.t.projects[0].ref };
    await db.transaction(async (db) => {
      const collection = (await findCollection(db, name))!;
      const id = randomUUID();
      const index = {
        id,
        kind: 'statistics',
        fields,
        state: 'building',
        isAutomatic: true,
        reason: 'a test',
      } as const;
      expect(await insertIndex(db, collection.number, index)).toBeDefined();
      await scheduleTending({ db, project }, collection.number);
      await notifyChanged(db, namesOf(collection));
    });
  }

  /** Drops every other index of a collection. */
  async dropSome(name: string): Promise<void> {
    const { body } = await this.indexed.get(`/collections/${name}/indexes`);
    const dropped = body.data.filter((_: unknown, at: number) => at % 2 === 0);
    for (const { id } of dropped)
      expect((await this.indexed.delete(`/collections/${name}/indexes/${id}`)).status).toBe(200);
    await this.#node.caughtUp();
  }

  /** Plants another function into the database of the first project; the answer takes it out again. */
  async replaceFunction(statement: string | undefined): Promise<() => Promise<void>> {
    if (statement === undefined) return async () => {};
    const pool = this.t.cells.pool(this.t.projects[0].cell);
    const name = /FUNCTION (cell\.\w+\([^)]*\))/.exec(statement)![1]!.replace('value ', '');
    const { rows } = await pool.query<{ was: string }>('SELECT pg_get_functiondef($1::regprocedure) AS was', [
      name,
    ]);
    await pool.query(statement);
    return async () => void (await pool.query(rows[0]!.was));
  }

  /** How often PostgreSQL has used indexes, by kind. */
  async scans(): Promise<Record<string, number>> {
    const rows = await this.#stored.query<{ kind: string; scans: number }>(
      `SELECT split_part(indexrelname, '_', 1) AS kind, sum(idx_scan)::int AS scans
       FROM pg_stat_user_indexes WHERE schemaname = 'own' AND $1::bigint IS NOT NULL GROUP BY 1`,
    );
    return Object.fromEntries(rows.map(({ kind, scans }) => [kind, scans]));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.t[Symbol.asyncDispose]();
  }
}
