import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { type Project } from '../../../src/calls/index.ts';
import { type Collection, findCollection } from '../../../src/features/data/collections/index.ts';
import { readQuery } from '../../../src/features/data/query/index.ts';
import { listAdvice } from '../../../src/features/data/query-shapes/advice.ts';
import { shapeOf } from '../../../src/features/data/query-shapes/shape.ts';
import { ShapeLog } from '../../../src/features/data/query-shapes/shape-log.ts';
import {
  forgetDurations,
  listShapes,
  type SeenShape,
  saveShapes,
} from '../../../src/features/data/query-shapes/shape-store.ts';
import { sha256 } from '../../../src/platform/crypto/secrets.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { plainScope } from '../../support/plain-scope.ts';
import { projectWithLimits } from '../../support/project-with-limits.ts';
import { expire } from '../../support/rows.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let project: Project;
let db: ProjectDb;
let collections = 0;

beforeAll(async () => {
  project = await projectWithLimits(t.control, t.projects[0].ref);
  db = t.cells.forProject(project);
});

/** A collection that is said to have many documents. */
async function newCollection(documents = 20_000): Promise<Collection> {
  collections += 1;
  const name = `posts${collections}`;
  expect((await t.api.post('/collections', { name })).status).toBe(201);
  const collection = await find(name);
  await db.query(sql`UPDATE cell.document_counts SET documents = ${documents}
    WHERE project_id = ${db.scope} AND collection = ${collection.number}`);
  return collection;
}

async function find(name: string): Promise<Collection> {
  return (await findCollection(db, name))!;
}

async function seenShape(
  { number }: Collection,
  query: string,
  { ms = 64, calls = 100, fromDocuments = 1000 } = {},
): Promise<SeenShape> {
  const { filter, sort } = await readQuery(query, plainScope);
  const shape = shapeOf(filter, sort);
  const durations = Array.from({ length: 16 }, (_, at) => (2 ** at === ms ? calls : 0));
  const hash = sha256(JSON.stringify(shape)).toString('hex');
  return { collection: number, shape, hash, calls, durations, fromDocuments };
}

async function addIndex({ number }: Collection, kind: string, fields: string[], state = 'ready') {
  const id = randomUUID();
  await db.query(sql`INSERT INTO cell.indexes (project_id, collection, id, kind, fields, state)
    VALUES (${db.scope}, ${number}, ${id}, ${kind}, ${fields}::text[], ${state})`);
  return id;
}

test('what runs on a node is shown as advice: shape, calls, p50 and what would help', async () => {
  const collection = await newCollection();
  const told: number[] = [];
  const shapes = new ShapeLog(t.cells, {
    log: pino({ level: 'fatal' }),
    onSlow: (_, number) => void told.push(number),
  });
  const queries: [string, number, number][] = [
    ['title__contains=x&status__ne=y', 100, 5],
    ['status=open&orderBy=views&order=desc', 20, 2],
    ['', 12, 1],
  ];
  for (const [query, ms, times] of queries) {
    const { filter, sort } = await readQuery(query, plainScope);
    const call = { project, collection: collection.number, filter, sort, ms, documents: 20_000 };
    for (let n = 0; n < times; n += 1) shapes.note(call);
  }
  await shapes.flush();
  expect(told).toEqual([collection.number]);

  const advice = await listAdvice({ db }, collection);
  expect(advice).toMatchObject({ autoIndex: true, documents: 20_000 });
  expect(advice.shapes.map(({ explanation: _explanation, seenAt: _seenAt, ...shape }) => shape)).toEqual([
    {
      filter: ['status (no index helps)', 'title (text)'],
      sort: [],
      calls: 5,
      p50Ms: 96,
      documents: 20_000,
      suggestion: { kind: 'search', fields: ['title'] },
      index: null,
    },
    {
      filter: ['status'],
      sort: ['-views'],
      calls: 2,
      p50Ms: 24,
      documents: 20_000,
      suggestion: { kind: 'sort', fields: ['-views'] },
      index: null,
    },
    { filter: [], sort: [], calls: 1, p50Ms: 12, documents: 20_000, suggestion: null, index: null },
  ]);
  expect(advice.shapes[0]!.explanation).toMatch(/^Queries search for text within "title"\. A search index/);
  expect(advice.shapes[2]!.explanation).toMatch(/order of ids/);
  expect(Date.now() - advice.shapes[0]!.seenAt.getTime()).toBeLessThan(60_000);
});

test('advice says what was made, and what is being made', async () => {
  const { name, ...collection } = await newCollection();
  const queries = ['status=x', 'kind=x', 'title__contains=x', 'orderBy=views', 'other=x'];
  const seen = await Promise.all(
    queries.map((query, at) => seenShape({ name, ...collection }, query, { calls: 100 - at })),
  );
  await saveShapes(db, seen);
  const ids = [
    await addIndex({ name, ...collection }, 'sort', ['status'], 'building'),
    await addIndex({ name, ...collection }, 'statistics', ['kind']),
    await addIndex({ name, ...collection }, 'search', ['title'], 'failed'),
    await addIndex({ name, ...collection }, 'sort', ['-views', 'title'], 'recorded'),
  ];
  const { shapes } = await listAdvice({ db }, await find(name));
  expect(
    shapes.map(({ index, suggestion }) => [index?.id ?? null, index?.state, suggestion?.fields]),
  ).toEqual([
    [ids[0], 'building', undefined],
    [ids[1], 'ready', undefined],
    [ids[2], 'failed', undefined],
    [ids[3], 'ready', undefined],
    [null, undefined, ['other']],
  ]);
  const explanations = shapes.map(({ explanation }) => explanation);
  expect(explanations[0]).toMatch(/sort index on status, which is being built/);
  expect(explanations[1]).toMatch(/statistics on kind, but still slow/);
  expect(explanations[2]).toMatch(/search index on title, which could not be built/);
  expect(explanations[3]).toMatch(/sort index on -views, title, which will be built once/);
  expect(explanations[4]).toMatch(/creates it automatically if such queries continue/);
});

test('advice follows the size of the collection and its wish for none', async () => {
  const small = await newCollection(2000);
  await saveShapes(db, [await seenShape(small, 'status=x')]);
  const first = (await listAdvice({ db }, small)).shapes[0]!;
  expect(first.explanation).toMatch(/automatically from 10,000 documents on/);
  const switchedOff = { ...small, settings: { ...small.settings, autoIndex: false } };
  const advice = await listAdvice({ db }, switchedOff);
  expect(advice.autoIndex).toBe(false);
  expect(advice.shapes[0]!.explanation).toMatch(/settings\.autoIndex/);
});

test('a quick shape needs nothing', async () => {
  const collection = await newCollection();
  await saveShapes(db, [await seenShape(collection, 'status=x', { ms: 2 })]);
  const [shape] = (await listAdvice({ db }, collection)).shapes;
  expect(shape).toMatchObject({ p50Ms: 1.5, suggestion: null, index: null });
  expect(shape!.explanation).toMatch(/It is fast/);
});

test('nodes add to what others saw; durations tell of the latest calls', async () => {
  const collection = await newCollection();
  await saveShapes(db, [await seenShape(collection, 'status=x', { ms: 64, calls: 400 })]);
  await saveShapes(db, [await seenShape(collection, 'status=x', { ms: 64, calls: 300 })]);
  await saveShapes(db, [await seenShape(collection, 'status=x', { ms: 1, calls: 10 })]);
  const [stored] = await listShapes(db, collection.number, 10);
  expect(stored!.calls).toBe(710);
  // The third came when there were more than 500: what was known counts half.
  expect(stored!.durations.filter((count) => count > 0)).toEqual([10, 350]);
  await forgetDurations(db, collection.number);
  const [after] = await listShapes(db, collection.number, 10);
  expect(after!.durations).toEqual(Array.from({ length: 16 }, () => 0));
  expect((await listAdvice({ db }, collection)).shapes[0]!.p50Ms).toBeNull();
});

test('two nodes that write the same shapes at once both count, and neither fails', async () => {
  const collection = await newCollection();
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_, n) => seenShape(collection, `field${n}=x`, { calls: 1 })),
  );
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => saveShapes(db, n % 2 === 0 ? seen : seen.toReversed())),
  );
  const stored = await listShapes(db, collection.number, 100);
  expect(stored.map(({ calls }) => calls)).toEqual(Array.from({ length: 50 }, () => 8));
});

test('a collection keeps 200 shapes; those it knows go on counting', async () => {
  const collection = await newCollection();
  const seen = await Promise.all(
    Array.from({ length: 205 }, (_, n) => seenShape(collection, `field${n}=x`, { calls: 205 - n })),
  );
  expect(await saveShapes(db, seen.slice(0, 150))).toHaveLength(150);
  expect(await saveShapes(db, seen.slice(100))).toHaveLength(100);
  const stored = await listShapes(db, collection.number, 300);
  expect(stored).toHaveLength(200);
  expect(Math.min(...stored.map(({ calls }) => calls))).toBe(6);
  expect(await saveShapes(db, seen.slice(200))).toEqual([]);
  expect((await listAdvice({ db }, collection)).shapes).toHaveLength(100);
});

test('what was seen in a small collection, or one that is gone, is not kept', async () => {
  const small = await newCollection(999);
  const quick = await seenShape(small, 'a=1');
  const slow = await seenShape(small, 'b=1', { fromDocuments: 0 });
  const gone = await seenShape({ ...small, number: 9999 }, 'c=1', { fromDocuments: 0 });
  expect(await saveShapes(db, [quick, slow, gone])).toEqual([
    { collection: small.number, hash: slow.hash, calls: 100, documents: 999 },
  ]);
});

test('each project sees its own', async () => {
  const collection = await newCollection();
  await saveShapes(db, [await seenShape(collection, 'status=x')]);
  const other = t.cells.forProject(await projectWithLimits(t.control, (await t.createProject()).ref));
  expect(await listShapes(other, collection.number, 10)).toEqual([]);
});

test('what was not seen for 30 days is forgotten, and after a day what hardly ever was', async () => {
  const collection = await newCollection();
  const ages: [string, number, string][] = [
    ['fresh=x', 1, '23 hours'],
    ['seldom=x', 19, '25 hours'],
    ['often=x', 20, '29 days'],
    ['old=x', 1000, '31 days'],
  ];
  for (const [query, calls, age] of ages) {
    const shape = await seenShape(collection, query, { calls });
    await saveShapes(db, [shape]);
    await db.query(sql`UPDATE cell.query_shapes SET seen_at = now() - ${age}::interval
      WHERE project_id = ${db.scope} AND collection = ${collection.number} AND hash = decode(${shape.hash}, 'hex')`);
  }
  const pool = t.cells.pool(project.cell);
  await expire(pool, 'cell.query_shapes');
  const left = await listShapes(db, collection.number, 10);
  expect(left.map(({ shape }) => shape.conditions[0]!.field)).toEqual(['often', 'fresh']);
});
