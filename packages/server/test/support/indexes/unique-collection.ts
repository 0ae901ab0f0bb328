import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type Collection,
  type CollectionIndex,
  findCollection,
  lockCollection,
  namesOf,
  notifyChanged,
} from '../../../src/features/data/collections/index.ts';
import { beginPlacementEpoch } from '../../../src/features/data/placement/index.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import type { Client, Reply } from '../client.ts';
import { type NewCollection, newCollection } from '../data/new-collection.ts';
import { eventually, Stored } from '../data/stored.ts';
import type { TestApp } from '../test-app.ts';

/** A collection in which no two documents have the same values of these fields. */
export async function uniqueCollection(api: Client, ...indexes: string[][]): Promise<NewCollection> {
  const made = await newCollection(api);
  for (const fields of indexes) await addUnique(api, made.path, fields);
  return made;
}

/** Asks for an index, and waits until it is ready. */
export async function addUnique(api: Client, path: string, fields: readonly string[]): Promise<string> {
  const { status, body } = await api.post(`${path}/indexes`, { kind: 'unique', fields });
  expect(status).toBe(201);
  const { id } = body.data;
  await eventually('the index is ready', async () => {
    const list = await api.get(`${path}/indexes`);
    return list.body.data.some(
      (index: { id: string; state: string }) => index.id === id && index.state === 'ready',
    );
  });
  return id;
}

/** Refused, naming these fields, and in a batch the item. */
export function expectDuplicate(reply: Reply, fields: readonly string[], index?: number): void {
  const details = { fields, ...(index !== undefined && { index }) };
  expect(reply.body.error).toMatchObject({ code: 'duplicate_value', details });
  expect(reply.body.error.details).toEqual(details);
  expect(reply.status).toBe(400);
}

/** The door to the data of the first project of a test. */
export async function doorTo(t: TestApp): Promise<ProjectDb> {
  const [project] = t.projects;
  return t.cells.forProject({ id: await new Stored(t, project).projectId(), cell: project.cell });
}

/** An index that writers keep and that nobody builds: a test does, step by step. */
export async function recordUnique(
  db: ProjectDb,
  name: string,
  fields: readonly string[],
): Promise<{ collection: Collection; index: CollectionIndex }> {
  const id = randomUUID();
  await db.transaction(async (db) => {
    const { number } = (await findCollection(db, name))!;
    const collection = (await lockCollection(db, number))!;
    await db.query(sql`
      INSERT INTO cell.indexes (project_id, collection, id, kind, fields, state)
      VALUES (${db.scope}, ${number}, ${id}, 'unique', ${fields}::text[], 'building')`);
    await beginPlacementEpoch(db, number);
    await notifyChanged(db, namesOf(collection));
  });
  const collection = (await findCollection(db, name))!;
  return { collection, index: collection.indexes.find((index) => index.id === id)! };
}

/** What the indexes of a collection hold: which documents, by index. */
export async function heldIn(db: ProjectDb, number: number): Promise<Map<string, string[]>> {
  const rows = await db.query<{ index: string; documents: string[] }>(sql`
    SELECT index_id AS index, array_agg(document::text ORDER BY document) AS documents FROM cell.unique_values
    WHERE project_id = ${db.scope} AND collection = ${number} GROUP BY index_id`);
  return new Map(rows.map(({ index, documents }) => [index, documents]));
}
