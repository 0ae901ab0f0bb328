import { Client as PgClient } from 'pg';
import { pino } from 'pino';
import { expect } from 'vitest';
import { defaultTiers } from '../../../src/calls/index.ts';
import { moveCollection } from '../../../src/features/data/placement/move-collection.ts';
import { tendCollection } from '../../../src/features/data/tending/tend-collection.ts';
import type { Cells } from '../../../src/platform/db/cells.ts';
import type { Client } from '../../support/client.ts';
import { Stored } from '../../support/data/stored.ts';
import { fill } from '../../support/indexes/fill.ts';
import type { TestApp } from '../../support/test-app.ts';

/** A collection whose move is in the hands of the test: no node does jobs. */
export interface Moving {
  readonly name: string;
  /** `/collections/{name}` */
  readonly path: string;
  readonly projectId: string;
  readonly cell: number;
  readonly number: number;
  /** Those of its documents, in the order of their ids. */
  readonly ids: readonly string[];
}

/** Where the documents of a collection are, by their ids; `own` is undefined if there is no such table. */
interface Places {
  readonly home: string;
  readonly shared: string[];
  readonly own: string[] | undefined;
}

/** Makes a collection of so many documents `{at, status, counter}`. */
export async function makeMoving(t: TestApp, name: string, count: number): Promise<Moving> {
  const [project] = t.projects;
  const stored = new Stored(t, project);
  const ids = await fill(t.api, name, count, (at) => ({
    at,
    status: ['open', 'closed'][at % 2],
    counter: 0,
  }));
  const { number } = await stored.collection(name);
  const projectId = await stored.projectId();
  return { name, path: `/collections/${name}`, projectId, cell: project.cell, number, ids };
}

/** Has a node begin the move and stop: before creates of an earlier epoch are shut out, or before any document has moved. */
export async function beginMove(t: TestApp, moving: Moving, isOpen = false): Promise<void> {
  const db = t.cells.forProject({ id: moving.projectId, cell: moving.cell });
  const signal = isOpen ? stopAfter(1) : stopBeforeChunks();
  await expect(moveCollection(db, moving.number, { signal })).rejects.toThrow('stopped here');
}

/** Moves so many documents of a move that has begun, the oldest first. */
export async function moveOldest(
  t: TestApp,
  { projectId, cell, number }: Moving,
  count: number,
): Promise<void> {
  const columns = 'project_id, collection, id, version, updated_at, holds_files, bytes, data';
  await t.cells.pool(cell).query(
    `WITH moved AS (
      DELETE FROM cell.documents WHERE id = ANY (ARRAY (
        SELECT id FROM cell.documents WHERE project_id = $1 AND collection = $2 ORDER BY id LIMIT $3))
      RETURNING ${columns})
    INSERT INTO own.documents_${projectId}_${number} (${columns}) SELECT ${columns} FROM moved`,
    [projectId, number, count],
  );
}

/** Looks after the collection until nothing is left to do, or it is stopped. */
export async function tend(
  cells: Cells,
  moving: Moving,
  signal = new AbortController().signal,
): Promise<void> {
  const project = { id: moving.projectId, cell: moving.cell, limits: defaultTiers.enterprise };
  const deps = { cells, log: pino({ level: 'fatal' }), signal };
  while ((await tendCollection(deps, project, moving.number)) === 'some');
}

/** A signal that stops what looks at it more often than that. */
export function stopAfter(looks: number): AbortSignal {
  let left = looks;
  return watchedSignal(() => (left -= 1) < 0);
}

/** A signal that stops a move where it would look for the first documents. */
function stopBeforeChunks(): AbortSignal {
  return watchedSignal((how) => how === 'asked');
}

function watchedSignal(isOver: (how: 'asked' | 'checked') => boolean): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let isAborted = false;
  const look = (how: 'asked' | 'checked') => {
    isAborted ||= isOver(how);
    if (isAborted) controller.abort();
    return isAborted;
  };
  return Object.defineProperties(signal, {
    aborted: { get: () => look('asked') },
    throwIfAborted: {
      value() {
        if (look('checked')) throw new Error('stopped here');
      },
    },
  });
}

/** Looks behind the API's back, at one moment: what a node that died had sent may still be under way. */
export async function placesOf(t: TestApp, { projectId, cell, number }: Moving): Promise<Places> {
  const client = await t.cells.pool(cell).connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const idsIn = async (table: string) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM ${table} WHERE project_id = $1 AND collection = $2 ORDER BY id`,
        [projectId, number],
      );
      return rows.map(({ id }) => id);
    };
    const { rows } = await client.query<{ home: string; own: string | null }>(
      `SELECT (SELECT home FROM cell.collections WHERE project_id = $1 AND number = $2) AS home,
        to_regclass('own.documents_' || $1::bigint || '_' || $2::int)::text AS own`,
      [projectId, number],
    );
    const { home, own } = rows[0]!;
    return {
      home: home ?? 'gone',
      shared: await idsIn('cell.documents'),
      own: own === null ? undefined : await idsIn(own).catch(unlessDropped),
    };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

function unlessDropped(error: { code?: string }): undefined {
  if (error.code !== '42P01') throw error;
}

/** A reply that must have this status; what it carries as `data`. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function answered(reply: ReturnType<Client['get']>, status = 200): Promise<any> {
  const { status: found, body } = await reply;
  expect([found, body?.error]).toEqual([status, undefined]);
  return body.data;
}

/** A transaction of somebody else, which ends when the test says so. */
export async function openTransaction(t: TestApp): Promise<PgClient & AsyncDisposable> {
  const client = new PgClient({ connectionString: t.config.DATABASE_URL });
  await client.connect();
  await client.query('BEGIN');
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
