// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { SchemaReader } from '../../../src/features/data/rules/read-schema.ts';
import type { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let neighbour: Client;
let neighbourPath: string;
beforeAll(async () => {
  neighbour = t.projects[1].api;
  neighbourPath = await collectionWith(neighbour, { required: ['n'], properties: { n: { type: 'number' } } });
  await newDocument(neighbour, neighbourPath, { n: 0 });
});

async function collectionWith(api: Client, schema: object): Promise<string> {
  const { path } = await newCollection(api);
  const reply = await api.patch(path, { settings: { schema } });
  expect(reply.status, reply.text).toBe(200);
  return path;
}

/** Takes a document with "x" twice as long for every level, and one without no time. */
function doubling(levels: number): object {
  const $defs: Record<string, object> = { [`a${levels}`]: { type: 'number' } };
  for (let n = 0; n < levels; n += 1) {
    const next = { $ref: `#/$defs/a${n + 1}` };
    $defs[`a${n}`] = { allOf: [next, next] };
  }
  return { $defs, properties: { x: { $ref: '#/$defs/a0' } } };
}

const manyParts = (count: number) => ({
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`p${n}`, { anyOf: [{ type: 'string' }] }]),
  ),
});

/** How long this thread has worked: what other processes take of a busy machine does not count. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The most that the node worked while a neighbour waited for an answer, as a share of how long a call took. */
async function neighbourWait(call: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const startedAt = performance.now();
  const ended = call.finally(() => {
    state.isDone = true;
  });
  let longest = 0;
  while (!state.isDone) {
    const before = workedMs();
    await t.anonymous.get('/healthz');
    expect((await neighbour.post(neighbourPath, { n: 1 })).status).toBe(201);
    longest = Math.max(longest, workedMs() - before);
  }
  await ended;
  return longest / (performance.now() - startedAt);
}

describe('7: a schema takes nobody else’s time', () => {
  test('neighbours go on while a document takes as long as it may, and the answer says what to do', async () => {
    const path = await collectionWith(t.api, doubling(40));
    const call = t.api.post(path, { x: 1 });
    expect(await neighbourWait(call)).toBeLessThan(0.5);
    expect(await call).toFailWith(400, 'schema_too_slow');
    expect((await call).body.error.message).toMatch(/simplify the schema/);
    expect((await t.api.post(path, { y: 1 })).status).toBe(201);
  });

  test('a batch may take as long as one document, not as many times as it has documents', async () => {
    const path = await collectionWith(t.api, doubling(40));
    const documents = Array.from({ length: 1000 }, (_, n) => (n < 10 ? { n } : { x: 1 }));
    const call = t.api.post(`${path}/batch`, { documents });
    expect(await neighbourWait(call)).toBeLessThan(0.5);
    expect(await call).toFailWith(400, 'schema_too_slow');
    expect((await t.api.get(path)).body.data).toEqual([]);
  });

  test('neighbours go on while a schema with many parts is read', async () => {
    const { path } = await newCollection(t.api);
    const call = t.api.patch(path, { settings: { schema: manyParts(1500) } });
    expect(await neighbourWait(call)).toBeLessThan(0.5);
    // A quick machine reads it in time, and a slow one does not.
    const { status, body } = await call;
    expect(`${status} ${body.error?.code ?? ''}`).toMatch(/^(200 |400 invalid_schema)$/);
  });

  test('a project that has many checked at once waits for itself, and is told when it is too many', async () => {
    const path = await collectionWith(t.api, doubling(40));
    const calls = Array.from({ length: 40 }, () => t.api.post(path, { x: 1 }));
    expect(await neighbourWait(Promise.all(calls))).toBeLessThan(0.5);
    const codes = (await Promise.all(calls)).map(({ status, body }) => `${status} ${body.error?.code}`);
    expect(new Set(codes)).toEqual(new Set(['400 schema_too_slow', '429 rate_limited']));
  });
});

test('7: the one of a large batch that does not fit is named', async () => {
  const path = await collectionWith(t.api, { properties: { n: { maximum: 72 } } });
  const documents = Array.from({ length: 80 }, (_, n) => ({ n, text: 'x'.repeat(10_000) }));
  const reply = await t.api.post(`${path}/batch`, { documents });
  expect(reply).toFailWith(400, 'schema_mismatch');
  expect(reply.body.error.details).toEqual({ path: 'n', index: 73 });
});

test('7: what is kept of a schema is counted in bytes', () => {
  const reader = new SchemaReader();
  const bytes = (schema: object) => reader.read(JSON.stringify(schema)).bytes;
  expect(bytes(manyParts(300))).toBeGreaterThan(3 * bytes({ type: 'object' }));
});
