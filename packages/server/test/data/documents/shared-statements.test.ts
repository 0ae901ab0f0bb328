// @tables own moving
import type { Pool } from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import {
  type MemberRow,
  type SharedStatement,
  SharedStatements,
} from '../../../src/platform/db/shared-statements.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let pool: Pool;
let statements: SharedStatements;
let stored: Stored;
beforeAll(async () => {
  pool = t.cells.pool(t.projects[0].cell);
  statements = new SharedStatements(pool);
  stored = new Stored(t, t.projects[0]);
});

/** Divides 100 by what each member brings. */
const dividing: SharedStatement<number> = {
  name: 'test.divide',
  sql: (members) => sql`SELECT member, 100 / divisor AS result
    FROM unnest(${members.map(({ item }) => item)}::int[]) WITH ORDINALITY AS asked (divisor, member)`,
};
const divide = (item: number) =>
  statements.run<number, MemberRow & { result: number }>(dividing, { projectId: '1', item });

test('calls of one moment share statements, and each gets its own rows', async () => {
  const query = vi.spyOn(pool, 'query');
  const numbers = Array.from({ length: 150 }, (_, at) => at + 1);
  const results = await Promise.all(numbers.map(async (item) => (await divide(item))[0]!.result));
  expect(results).toEqual(numbers.map((item) => Math.trunc(100 / item)));
  expect(query.mock.calls.length).toBeLessThanOrEqual(2);
  query.mockRestore();
});

test('a member that fails, fails alone', async () => {
  const outcomes = await Promise.allSettled([1, 2, 0, 4].map(divide));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((outcomes[2] as PromiseRejectedResult).reason.code).toBe('22012');
});

test('after a connection is lost nothing is done twice: all who went with it are told', async () => {
  const leaving: SharedStatement<number> = {
    name: 'test.leave',
    sql: (members) => sql`SELECT member, pg_terminate_backend(pg_backend_pid())
      FROM unnest(${members.map(({ item }) => item)}::int[]) WITH ORDINALITY AS asked (item, member)`,
  };
  const query = vi.spyOn(pool, 'query');
  const calls = [1, 2, 3].map((item) => statements.run(leaving, { projectId: '1', item }));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(query.mock.calls.length).toBe(1);
  query.mockRestore();
});

test('nor after a socket that breaks while the statement is under way', async () => {
  const query = vi.fn(async () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  });
  const away = new SharedStatements({ query } as unknown as Pool);
  const calls = [1, 2, 3].map((item) => away.run(dividing, { projectId: '1', item }));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(query).toHaveBeenCalledTimes(1);
});

/** Holds what a statement locks until the answer is called. */
async function hold(statement: string, values: unknown[]): Promise<() => Promise<void>> {
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(statement, values);
  return async () => {
    await holder.query('COMMIT');
    holder.release();
  };
}

test('a document that somebody holds keeps only those waiting who want to change it', async () => {
  const { path } = await newCollection(t.api);
  const held = await newDocument(t.api, path, { n: 0 });
  const free = await Promise.all(Array.from({ length: 20 }, () => newDocument(t.api, path, { n: 0 })));
  const release = await hold('SELECT FROM cell.every_document WHERE id = $1 FOR UPDATE', [held.id]);
  let ended = 0;
  const change = async () => {
    const reply = await t.api.patch(`${path}/${held.id}`, { $increment: { n: 1 } });
    ended += 1;
    return reply;
  };
  const waiting = [change(), change()];
  const others = await Promise.all(
    free.flatMap(({ id }, at) => [
      t.api.patch(`${path}/${id}`, { $increment: { n: 1 } }),
      ...(at % 2 === 0 ? [t.api.get(`${path}/${held.id}`)] : []),
    ]),
  );
  for (const { status } of others) expect(status).toBe(200);
  const gone = await Promise.all(free.slice(0, 10).map(({ id }) => t.api.delete(`${path}/${id}`)));
  for (const { status } of gone) expect(status).toBe(200);
  expect(ended).toBe(0);
  await release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  expect((await t.api.get(`${path}/${held.id}`)).body.data.n).toBe(2);
});

test('a count that somebody holds keeps no other collection waiting', async () => {
  const [busy, other] = [await newCollection(t.api), await newCollection(t.api)];
  const { number } = await stored.collection(busy.name);
  const release = await hold(
    'SELECT FROM cell.document_counts WHERE project_id = $1 AND collection = $2 FOR UPDATE',
    [await stored.projectId(), number],
  );
  let isCreated = false;
  const waiting = t.api.post(busy.path, { n: 1 }).then((reply) => {
    isCreated = true;
    return reply;
  });
  const created = await Promise.all(Array.from({ length: 20 }, (_, n) => t.api.post(other.path, { n })));
  for (const { status } of created) expect(status).toBe(201);
  expect(isCreated).toBe(false);
  await release();
  expect((await waiting).status).toBe(201);
  expect((await t.api.get(`${other.path}?limit=1`)).body.total).toBe(20);
  expect((await t.api.get(`${busy.path}?limit=1`)).body.total).toBe(1);
});

test('a document that is too long to travel with others is read, changed and deleted all the same', async () => {
  const { path } = await newCollection(t.api);
  // Nothing that PostgreSQL could compress.
  const text = Array.from({ length: 20_000 }, () => Math.random().toString(36).slice(2)).join('');
  const { id } = await newDocument(t.api, path, { text });
  const [long, short] = [await t.api.get(`${path}/${id}`), await newDocument(t.api, path, { n: 1 })];
  expect(long.body.data.text).toBe(text);
  expect((await t.api.patch(`${path}/${id}`, { n: 1 })).body.data).toMatchObject({ n: 1, text });
  expect((await t.api.delete(`${path}/${id}`)).status).toBe(200);
  expect((await t.api.get(`${path}/${short.id}`)).status).toBe(200);
});

test('every write that is acknowledged by two nodes under load is there in the end, and none twice', async () => {
  const { path } = await newCollection(t.api);
  const other = await t.node();
  const { apiKey } = t.projects[0];
  const clients = [t.url, other.url].map((url) => new Client(url, { 'x-api-key': apiKey }));
  const shared = await Promise.all(
    Array.from({ length: 12 }, () => newDocument(t.api, path, { n: 0, log: [] })),
  );
  const model = new Map(shared.map(({ id }) => [id as string, { n: 0, log: [] as string[] }]));
  const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 8);
  const until = performance.now() + seconds * 1000;
  let calls = 0;
  const worker = async (number: number) => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const api = clients[(number + turn) % 2]!;
      const dice = Math.random();
      calls += 1;
      if (dice < 0.5) {
        const { id } = shared[Math.floor(Math.random() * shared.length)]!;
        const mark = `${number}-${turn}`;
        const reply = await api.patch(`${path}/${id}`, { $increment: { n: 1 }, $append: { log: mark } });
        expect(reply.status, reply.text).toBe(200);
        expect(reply.body.data.log).toContain(mark);
        model.get(id)!.n += 1;
        model.get(id)!.log.push(mark);
      } else if (dice < 0.8) {
        const reply = await api.post(path, { n: number, log: [String(turn)] });
        expect(reply.status, reply.text).toBe(201);
        model.set(reply.body.data.id, { n: number, log: [String(turn)] });
        const read = await clients[(number + turn + 1) % 2]!.get(`${path}/${reply.body.data.id}`);
        expect(read.body.data).toEqual(reply.body.data);
      } else {
        const { body } = await api.post(path, { n: -1, log: [] });
        // Two at once: one of them deletes it.
        const { id } = body.data;
        const replies = await Promise.all(clients.map((one) => one.delete(`${path}/${id}`)));
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 404]));
      }
    }
  };
  await Promise.all(Array.from({ length: 24 }, (_, number) => worker(number)));
  const { number } = await stored.collection(path.split('/').at(-1)!);
  const rows = await stored.query<{ id: string; data: { n: number; log: string[] } }>(
    'SELECT id, data FROM cell.every_document WHERE project_id = $1 AND collection = $2',
    [number],
  );
  console.log(`${calls} calls on two nodes in ${seconds} s; ${rows.length} documents`);
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(model.keys()));
  for (const { id, data } of rows) {
    expect(data.n).toBe(model.get(id)!.n);
    expect(data.log.toSorted()).toEqual(model.get(id)!.log.toSorted());
  }
  expect((await t.api.get(`${path}?limit=1`)).body.total).toBe(model.size);
});
