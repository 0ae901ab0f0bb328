// @postgres newest
import { expect, test } from 'vitest';
import { isExceeded, limitsOf } from '../../../../bench/scale/limits.ts';
import { databaseCost, groupSize, type Plan, planFor } from '../../../../bench/scale/plan.ts';
import { readUnits } from '../../../../bench/scale/units.ts';
import { sharesOf, usualEquipment, usualWorkload, type Workload } from '../../../../bench/scale/workload.ts';

const units = readUnits();
const plan = (workload: Partial<Workload>, equipment: Partial<typeof usualEquipment> = {}): Plan =>
  planFor({ ...usualWorkload, ...workload }, { ...usualEquipment, ...equipment }, units);
const limit = (of: Plan, name: string) => limitsOf(of).find((one) => one.name === name);

test('the shares of all kinds of requests are one', () => {
  for (const reads of [0, 0.5, 1]) {
    const shares = sharesOf({ ...usualWorkload, reads });
    expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  }
});

test('a small deployment is one process and one cell', () => {
  const small = plan({ projects: 10, requests: 10 });
  expect(small).toMatchObject({ processes: 1, cells: 1, misses: 0 });
  expect(limitsOf(small).filter(isExceeded)).toEqual([]);
});

test('processes grow with requests, cells with data', () => {
  const base = plan({ projects: 100, requests: 100_000 });
  expect(plan({ projects: 100, requests: 200_000 }).processes).toBeGreaterThan(1.9 * base.processes);
  const large = plan({ projects: 1_000_000, requests: 100 });
  expect(large).toMatchObject({ processes: 1, cellsFor: 'disk' });
  expect(large.cells).toBe(
    Math.ceil(large.diskBytes / (usualEquipment.cellDiskGb * 1e9 * usualEquipment.load)),
  );
});

test('requests that meet share their statement, and cost PostgreSQL less', () => {
  const { alone, together } = units.calls.read;
  expect(databaseCost(units, 'read', 1)).toBeCloseTo(alone.database, 6);
  expect(databaseCost(units, 'read', together.members)).toBeCloseTo(together.database, 6);
  expect(groupSize(0, 1)).toBe(1);
  expect(groupSize(10_000, 1)).toBe(11);
  expect(groupSize(10_000_000, 1)).toBe(200);
});

test('with many cells for each process sharing is lost', () => {
  const few = plan({ projects: 100, reads: 1 }, { cellCores: 1000 });
  const many = plan({ projects: 1_000_000, reads: 1 }, { cellCores: 1000 });
  expect(few.cells).toBe(1);
  expect(many.cells).toBeGreaterThan(10);
  const company = ({ readGroup }: Plan) => readGroup - 1;
  expect(company(many)).toBeLessThan(company(few) / 5);
  expect(many.databaseCores).toBeGreaterThan(few.databaseCores);
});

test('connections grow with processes, and a pooler takes most of them away', () => {
  const { connections, processes } = plan({ projects: 1000, requests: 100_000 });
  // 10 for requests, 5 for lists, 6 shared, 6 for look-ups and one to listen; jobs on two processes; one for the feed.
  expect(connections.most).toBe(28 * processes + 2 * 4 + 1);
  expect(connections.withPooler).toBe(processes + 2 * 4 + 1);
  expect(plan({}, { poolSize: 20 }).connections.most).toBeGreaterThan(plan({}).connections.most);
});

test('what a process does not keep in memory is looked up in control', () => {
  expect(plan({ projects: 1_000_000, active: 0.05 }).misses).toBe(0);
  expect(plan({ projects: 1_000_000, active: 0.1 }).misses).toBeCloseTo(0.5, 6);
  expect(limit(plan({ active: 0.05 }), 'lookups in the control database')?.need).toBe(0);
});

test('one Redis is enough for some thousand requests a second, and not for a million', () => {
  const redis = (requests: number) => limit(plan({ projects: 1000, requests }), 'one Redis');
  expect(redis(1000)?.need).toBeLessThan(redis(1000)?.have ?? 0);
  expect(redis(1_000_000)?.need).toBeGreaterThan(redis(1_000_000)?.have ?? 0);
});

test('nobody who plans is told to run above the load that they chose', () => {
  for (const requests of [1, 1000, 1_000_000]) {
    const { busy, equipment } = plan({ requests });
    expect(busy.node).toBeLessThanOrEqual(equipment.load);
    expect(busy.database).toBeLessThanOrEqual(equipment.load);
  }
});
