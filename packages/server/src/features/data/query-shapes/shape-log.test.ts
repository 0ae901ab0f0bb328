import { expect, test, vi } from 'vitest';
import { plainScope } from '../../../../test/support/plain-scope.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Sql } from '../../../platform/db/sql.ts';
import { readQuery } from '../query/index.ts';
import { type NotedCall, ShapeLog } from './shape-log.ts';
import type { SeenShape } from './shape-store.ts';

const project = { id: '7', ref: 'seven', cell: 1 };

/** A cell that keeps what it is told, or fails. */
function fakeCell(documents = 20_000) {
  const batches: { project: string; seen: SeenShape[] }[] = [];
  const state = { isAway: false, documents, calls: 100 };
  const cells = {
    forProject: ({ id }: { id: string }) => {
      const query = async ({ values }: Sql) => {
        if (state.isAway) throw new Error('away');
        const seen = JSON.parse(
          values.find((value) => String(value).startsWith('[{')) as string,
        ) as SeenShape[];
        batches.push({ project: id, seen });
        const kept = seen.filter(({ fromDocuments }) => state.documents >= fromDocuments);
        return kept.map(({ collection, hash }) => ({ ...state, collection, hash }));
      };
      return { scope: id, query } as unknown as ProjectDb;
    },
  };
  return { cells, batches, state };
}

function shapeLog(documents?: number) {
  const cell = fakeCell(documents);
  const clock = { now: 0 };
  const onSlow = vi.fn<(where: { id: string }, collection: number) => void>();
  const log = { warn: vi.fn<() => void>() };
  const shapes = new ShapeLog(cell.cells, { log, onSlow, now: () => clock.now });
  return { ...cell, shapes, onSlow, log, clock };
}

async function call(query: string, more: Partial<NotedCall> = {}): Promise<NotedCall> {
  const { filter, sort } = await readQuery(query, plainScope);
  return { project, collection: 3, filter, sort, ms: 1, documents: 20_000, ...more };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

test('one in eight quick calls stands for eight, every slow one for itself', async () => {
  const { shapes, batches } = shapeLog();
  const quick = await call('status=x', { ms: 3 });
  const slow = await call('status=y', { ms: 100 });
  for (let n = 0; n < 8000; n += 1) shapes.note(quick);
  for (let n = 0; n < 50; n += 1) shapes.note(slow);
  await shapes.flush();
  const { seen } = batches[0]!;
  expect(seen).toHaveLength(1);
  const [{ calls, durations, shape, collection }] = seen as [SeenShape];
  expect(shape.conditions).toEqual([{ field: 'status', use: 'key' }]);
  expect(collection).toBe(3);
  expect(calls).toBeGreaterThan(7950);
  expect(calls).toBeLessThan(8150);
  expect(durations[2]).toBe(calls - 50);
  expect(durations[7]).toBe(50);
  expect(durations).toHaveLength(16);
});

test('of queries that come in turn, all are seen', async () => {
  const { shapes, batches } = shapeLog();
  const calls = await Promise.all(Array.from({ length: 8 }, (_, n) => call(`field${n}=x`)));
  for (let n = 0; n < 8000; n += 1) shapes.note(calls[n % 8]!);
  await shapes.flush();
  const seen = batches[0]!.seen.map(({ calls }) => calls);
  expect(seen).toHaveLength(8);
  for (const calls of seen) expect(Math.abs(calls - 1000)).toBeLessThan(100);
});

test('small collections are noted only where they are slow', async () => {
  const { shapes, batches } = shapeLog();
  const small = await call('status=x', { documents: 999 });
  for (let n = 0; n < 100; n += 1) shapes.note(small);
  expect(shapes.size).toBe(0);
  const unknown = await call('status=x', { documents: undefined });
  for (let n = 0; n < 16; n += 1) shapes.note(unknown);
  shapes.note(await call('views=1', { documents: 999, ms: 10 }));
  await shapes.flush();
  const kept = batches[0]!.seen.map(({ shape, fromDocuments }) => [
    shape.conditions[0]!.field,
    fromDocuments,
  ]);
  expect(Object.fromEntries(kept)).toEqual({ status: 1000, views: 0 });
});

test('memory is bounded: at most 5,000 shapes, and none that is very long', async () => {
  const { shapes } = shapeLog();
  for (let n = 0; n < 6000; n += 1) shapes.note(await call(`field${n}=x`, { ms: 20 }));
  expect(shapes.size).toBe(5000);
  const { shapes: others } = shapeLog();
  others.note(await call(`${'long'.repeat(600)}=x`, { ms: 20 }));
  expect(others.size).toBe(0);
});

test('projects are written one by one; what is written is not written again', async () => {
  const { shapes, batches } = shapeLog();
  shapes.note(await call('a=1', { ms: 20 }));
  shapes.note(await call('b=1', { ms: 20, collection: 4 }));
  shapes.note(await call('a=1', { ms: 20, project: { ...project, id: '8' } }));
  await Promise.all([shapes.flush(), shapes.flush()]);
  await shapes.flush();
  expect(batches).toHaveLength(2);
  expect(Object.fromEntries(batches.map(({ project, seen }) => [project, seen.length]))).toEqual({
    7: 2,
    8: 1,
  });
});

test('what could not be written is logged, kept and written later', async () => {
  const { shapes, batches, state, log } = shapeLog();
  state.isAway = true;
  const slow = await call('a=1', { ms: 20 });
  shapes.note(slow);
  await shapes.flush();
  expect(log.warn).toHaveBeenCalledTimes(1);
  shapes.note(slow);
  shapes.note(await call('a=1', { ms: 70 }));
  state.isAway = false;
  await shapes.flush();
  expect(batches[0]!.seen[0]!.calls).toBe(3);
  expect(sum(batches[0]!.seen[0]!.durations)).toBe(3);
});

test('a cell that stays away is not asked by every project, and what is kept for it ends', async () => {
  const { shapes, state, log } = shapeLog();
  state.isAway = true;
  for (let n = 0; n < 50; n += 1)
    shapes.note(await call('a=1', { ms: 20, project: { ...project, id: `${n}` } }));
  await shapes.flush();
  expect(log.warn).toHaveBeenCalledTimes(3);
  expect(shapes.size).toBe(50);
  for (let n = 0; n < 30; n += 1) await shapes.flush();
  expect(shapes.size).toBe(0);
});

test('slow queries on a large collection are told, once a minute', async () => {
  const { shapes, onSlow, clock } = shapeLog(10_000);
  const slow = await call('status=x', { ms: 30 });
  const round = async () => {
    shapes.note(slow);
    await shapes.flush();
  };
  await round();
  await round();
  expect(onSlow.mock.calls).toEqual([[project, 3]]);
  clock.now += 60_000;
  await round();
  expect(onSlow).toHaveBeenCalledTimes(2);
});

test.each([
  ['the collection is small', 9999, 'status=x', 30],
  ['most are quick', 10_000, 'status=x', 3],
  ['no index helps', 10_000, 'status__ne=x', 30],
  ['there is nothing to help', 10_000, '', 30],
])('nothing is told if %s', async (_, documents, query, ms) => {
  const { shapes, onSlow, batches } = shapeLog(documents);
  const noted = await call(query, { ms });
  for (let n = 0; n < 16; n += 1) shapes.note(noted);
  await shapes.flush();
  expect(batches).toHaveLength(1);
  expect(onSlow).not.toHaveBeenCalled();
});

test('what was asked hardly ever is not told; once it was asked more often it is, at once', async () => {
  const { shapes, onSlow, state } = shapeLog();
  state.calls = 4;
  shapes.note(await call('status=x', { ms: 50 }));
  await shapes.flush();
  expect(onSlow).not.toHaveBeenCalled();
  state.calls = 5;
  shapes.note(await call('status=x', { ms: 50 }));
  await shapes.flush();
  expect(onSlow).toHaveBeenCalledTimes(1);
});

test('where nobody says how large a collection is, one that was found small is left alone for a while', async () => {
  const { shapes, batches, clock } = shapeLog(999);
  const quick = await call('status=x', { documents: undefined });
  const note = (times: number) => {
    for (let n = 0; n < times; n += 1) shapes.note(quick);
  };
  note(8);
  await shapes.flush();
  expect(batches).toHaveLength(1);
  note(100);
  expect(shapes.size).toBe(0);
  shapes.note({ ...quick, ms: 50 });
  expect(shapes.size).toBe(1);
  await shapes.flush();
  clock.now += 600_001;
  note(8);
  expect(shapes.size).toBe(1);
});

test('a failure to tell is logged, and told again with the next flush', async () => {
  const { shapes, onSlow, log } = shapeLog();
  onSlow.mockImplementationOnce(() => {
    throw new Error('no jobs');
  });
  const slow = await call('status=x', { ms: 30 });
  for (let n = 0; n < 2; n += 1) {
    shapes.note(slow);
    await shapes.flush();
  }
  expect(onSlow).toHaveBeenCalledTimes(2);
  expect(log.warn).toHaveBeenCalledTimes(1);
});

test('it writes now and then, and once more when it stops', async () => {
  vi.useFakeTimers();
  try {
    const { shapes, batches } = shapeLog();
    const slow = await call('a=1', { ms: 20 });
    shapes.start();
    shapes.note(slow);
    await vi.advanceTimersByTimeAsync(12_500);
    expect(batches).toHaveLength(1);
    shapes.note(slow);
    await shapes.stop();
    expect(batches).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batches).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('noting a quick call costs less than writing its filter down once', async () => {
  const query = 'status=open&views__gt=5&title__contains=abc&[or]a=1&[or]b=2&orderBy=views,title&order=desc';
  const noted = await call(query);
  const { shapes } = shapeLog();
  let length = 0;
  const write = () => {
    length += JSON.stringify(noted.filter).length;
  };
  const micros = (work: () => void) => {
    const startedAt = performance.now();
    for (let n = 0; n < 100_000; n += 1) work();
    return (performance.now() - startedAt) / 100;
  };
  // In turn, so that what else the machine does meets both.
  const rounds = Array.from({ length: 5 }, () => [micros(write), micros(() => shapes.note(noted))] as const);
  const writing = Math.min(...rounds.map(([first]) => first));
  const noting = Math.min(...rounds.map(([, second]) => second));
  expect(length).toBeGreaterThan(0);
  expect(shapes.size).toBe(1);
  process.stdout.write(
    `noting: ${noting.toFixed(2)} µs a call; writing the filter: ${writing.toFixed(2)} µs\n`,
  );
  expect(noting).toBeLessThan(writing);
});
