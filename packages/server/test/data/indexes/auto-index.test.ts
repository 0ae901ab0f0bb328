// @postgres newest
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { type Project } from '../../../src/calls/index.ts';
import { type Collection, findCollection } from '../../../src/features/data/collections/index.ts';
import { dropUnused } from '../../../src/features/data/indexes/index.ts';
import { readQuery } from '../../../src/features/data/query/index.ts';
import { shapeOf } from '../../../src/features/data/query-shapes/shape.ts';
import { saveShapes } from '../../../src/features/data/query-shapes/shape-store.ts';
import { tendCollection } from '../../../src/features/data/tending/tend-collection.ts';
import { sha256 } from '../../../src/platform/crypto/secrets.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { cancelWaiting } from '../../support/data/cancel-waiting.ts';
import { fill, untilBuilt } from '../../support/indexes/fill.ts';
import { plainScope } from '../../support/plain-scope.ts';
import { projectWithLimits } from '../../support/project-with-limits.ts';
import { useTestApp } from '../../support/test-app.ts';

interface Made {
  readonly id: string;
  readonly kind: string;
  readonly fields: readonly string[];
  readonly state: string;
  readonly automatic: boolean;
  readonly reason: string;
}

// What is slow here is to be answered all the same, however busy the machine is.
const t = useTestApp({ QUERY_TIMEOUT_MS: '60000' });
let project: Project;
let db: ProjectDb;

beforeAll(async () => {
  project = await projectWithLimits(t.control, t.projects[0].ref);
  db = t.cells.forProject(project);
  await fill(t.api, 'articles', 12_000, (at) => ({
    status: ['open', 'closed', 'draft'][at % 3],
    rare: `r${at % 3000}`,
    text: `${'All that was said of it that day, and more. '.repeat(40)}word${at % 2000}`,
  }));
});

async function indexesOf(name: string): Promise<Made[]> {
  return (await t.api.get(`/collections/${name}/indexes`)).body.data;
}

async function find(name: string): Promise<Collection> {
  return (await findCollection(db, name))!;
}

/** A collection that is said to have many documents. */
async function largeCollection(name: string): Promise<Collection> {
  expect((await t.api.post('/collections', { name })).status).toBe(201);
  expect((await t.api.post(`/collections/${name}`, { rare: 'x' })).status).toBe(201);
  const collection = await find(name);
  await db.query(sql`UPDATE cell.document_counts SET documents = 20000
    WHERE project_id = ${db.scope} AND collection = ${collection.number}`);
  return collection;
}

/** As if such queries had taken 64 ms and more each, so many times. */
async function plantSlow({ number }: Collection, queries: readonly string[], calls = 100): Promise<void> {
  const seen = await Promise.all(
    queries.map(async (query) => {
      const { filter, sort } = await readQuery(query, plainScope);
      const shape = shapeOf(filter, sort);
      const durations = Array.from({ length: 16 }, (_, at) => (at === 7 ? calls : 0));
      const hash = sha256(JSON.stringify(shape)).toString('hex');
      return { collection: number, shape, hash, calls, durations, fromDocuments: 0 };
    }),
  );
  await saveShapes(db, seen);
}

async function tend({ number }: Collection): Promise<void> {
  const { signal } = new AbortController();
  const deps = { cells: t.cells, log: pino({ level: 'fatal' }), signal };
  while ((await tendCollection(deps, project, number)) === 'some');
}

test('a query that is slow gets its index from the service, which says why', async () => {
  const path = '/collections/articles?text__contains=word77';
  const before = await t.api.get(path);
  expect(before.body.total).toBe(66);
  for (let call = 0; call < 9; call += 1) expect((await t.api.get(path)).status).toBe(200);
  await expect.poll(() => indexesOf('articles'), { interval: 200 }).toHaveLength(1);
  const [index] = await untilBuilt(t.api, 'articles');
  expect(index).toMatchObject({ kind: 'search', fields: ['text'], state: 'ready', automatic: true });
  expect(index.reason).toMatch(
    /^Queries search for text within "text"\. \d+ requests on 12,000 documents, with a median of [\d,]+ ms\.$/,
  );
  const after = await t.api.get(path);
  expect(after.body).toEqual(before.body);

  const { body } = await t.api.get('/collections/articles/indexes/advice');
  expect(body.data).toMatchObject({ autoIndex: true, documents: 12_000 });
  expect(body.data.shapes).toEqual([
    expect.objectContaining({
      filter: ['text (text)'],
      sort: [],
      suggestion: null,
      index: { id: index.id, kind: 'search', state: 'ready' },
    }),
  ]);
  expect(body.data.shapes[0].calls).toBeGreaterThanOrEqual(5);
});

test('where all values are frequent statistics suffice, for a rare one there is an index', async () => {
  const articles = await find('articles');
  await plantSlow(articles, ['status=open', 'rare=r1']);
  await tend(articles);
  const made = (await indexesOf('articles'))
    .filter(({ kind }) => kind !== 'search')
    .toSorted((a, b) => a.kind.localeCompare(b.kind));
  expect(made.map(({ kind, fields, state }) => [kind, fields, state])).toEqual([
    ['sort', ['rare'], 'ready'],
    ['statistics', ['status'], 'ready'],
  ]);
  expect(made[0]!.reason).toMatch(/^Queries filter by "rare"\. 100 requests on 12,000 documents/);
  expect(made[1]!.reason).toMatch(
    /^Queries filter by "status"\. .*It has 3 values, each in at least 33 % of the documents: statistics are enough\.$/,
  );
});

test('a collection that wants none gets none, and keeps its place', async () => {
  const collection = await largeCollection('untended');
  const switchTo = async (autoIndex: boolean) =>
    expect((await t.api.patch('/collections/untended', { settings: { autoIndex } })).status).toBe(200);
  await switchTo(false);
  await plantSlow(collection, ['rare=x', 'orderBy=rare']);
  await tend(collection);
  expect(await indexesOf('untended')).toEqual([]);
  expect((await find('untended')).home).toBe(collection.home);
  const { body } = await t.api.get('/collections/untended/indexes/advice');
  expect(body.data.autoIndex).toBe(false);
  expect(body.data.shapes[0].suggestion).toEqual({ kind: 'sort', fields: ['rare'] });

  await switchTo(true);
  await tend(collection);
  expect((await indexesOf('untended')).map(({ fields }) => fields)).toEqual([['rare']]);
});

test('what was asked only now and then is no reason', async () => {
  const collection = await largeCollection('seldom');
  await plantSlow(collection, ['orderBy=rare'], 4);
  await tend(collection);
  expect(await indexesOf('seldom')).toEqual([]);
});

test('a collection gets ten by itself, and again when one was not used for 30 days', async () => {
  const collection = await largeCollection('wanted');
  await plantSlow(
    collection,
    Array.from({ length: 12 }, (_, at) => `orderBy=field${at}`),
  );
  await tend(collection);
  await tend(collection);
  const made = await indexesOf('wanted');
  expect(made.map(({ kind, state, automatic }) => [kind, state, automatic])).toEqual(
    Array.from({ length: 10 }, () => ['sort', 'ready', true]),
  );

  // Of two that were last used long ago, PostgreSQL says that one was used since.
  const [unused, used] = made;
  await db.query(sql`UPDATE cell.indexes SET used_at = now() - interval '31 days',
      scans = CASE WHEN id = ${used!.id} THEN -1 ELSE scans END
    WHERE project_id = ${db.scope} AND id = ANY (${[unused!.id, used!.id]}::uuid[])`);
  await dropUnused(t.cells.pool(project.cell), async () => project);
  const ids = async () => (await indexesOf('wanted')).map(({ id }) => id);
  expect(await ids()).toEqual(made.slice(1).map(({ id }) => id));
  const remains = () =>
    db.query(sql`SELECT FROM cell.indexes WHERE project_id = ${db.scope} AND id = ${unused!.id}`);
  await expect.poll(remains, { interval: 50 }).toEqual([]);
});

/** Lets nobody read the table of a collection until it is released. */
async function holdTable({ projectId, number }: Collection): Promise<{ release(): Promise<void> }> {
  const connection = await t.cells.pool(project.cell).connect();
  await connection.query('BEGIN');
  await connection.query(`LOCK TABLE own.documents_${projectId}_${number} IN ACCESS EXCLUSIVE MODE`);
  return {
    async release() {
      await connection.query('ROLLBACK');
      connection.release();
    },
  };
}

test('O2: a query past its time is told which index would help, and whether it is on its way', async () => {
  const { app, url } = await t.node({ JOB_CONCURRENCY: '0' });
  const articles = await find('articles');
  const read = async () => {
    const calling = fetch(`${url}/collections/articles?status=open&orderBy=title`, {
      headers: { 'x-api-key': t.projects[0].apiKey },
    });
    await cancelWaiting(t.cells.pool(project.cell));
    const call = await calling;
    return { status: call.status, error: ((await call.json()) as { error: Record<string, unknown> }).error };
  };
  const held = await holdTable(articles);
  try {
    expect(await read()).toEqual({
      status: 400,
      error: expect.objectContaining({
        code: 'query_too_slow',
        message: expect.stringContaining(
          'To speed it up, create a sort index on "title" with POST /collections/articles/indexes',
        ),
        details: { index: { kind: 'sort', fields: ['title'] }, isBuilding: false },
      }),
    });
    // It cannot be built while the table is held.
    const { status } = await t.api.post('/collections/articles/indexes', { kind: 'sort', fields: ['title'] });
    expect(status).toBe(201);
    await app.caughtUp();
    expect((await read()).error).toMatchObject({
      code: 'query_too_slow',
      message: expect.stringContaining('is being built: try again in a few minutes'),
      details: { index: { kind: 'sort', fields: ['title'] }, isBuilding: true },
    });
  } finally {
    await held.release();
  }
  await untilBuilt(t.api, 'articles');
});

test('O2: slow lists of one project keep neither its other calls nor another project waiting', async () => {
  const { url } = await t.node({ DATABASE_POOL_SIZE: '4', QUERY_TIMEOUT_MS: '60000' });
  const other = await sameCellProject();
  const get = (apiKey: string, path: string) => fetch(`${url}${path}`, { headers: { 'x-api-key': apiKey } });
  const { apiKey } = t.projects[0];
  const held = await holdTable(await find('articles'));
  let answered = 0;
  const slow = Array.from({ length: 6 }, async () => {
    const { status } = await get(apiKey, '/collections/articles?status=open');
    answered += 1;
    return status;
  });
  try {
    await expect.poll(waitingForLocks, { interval: 20 }).toBeGreaterThan(0);
    expect((await get(other.apiKey, '/collections/notes?kind=b')).status).toBe(200);
    expect((await get(apiKey, '/collections/untended?limit=5')).status).toBe(200);
    expect(answered).toBe(0);
  } finally {
    await held.release();
  }
  expect(await Promise.all(slow)).toEqual(Array.from({ length: 6 }, () => 200));
});

async function sameCellProject() {
  const other = [await t.createProject(), await t.createProject()].find(({ cell }) => cell === project.cell)!;
  expect((await other.api.post('/collections', { name: 'notes' })).status).toBe(201);
  expect((await other.api.post('/collections/notes', { kind: 'b' })).status).toBe(201);
  return other;
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await t.cells
    .pool(project.cell)
    .query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  return rows[0]!.count;
}
