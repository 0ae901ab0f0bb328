// @tables own moving
import { beforeAll, expect, test } from 'vitest';
import { SingleFlight } from '../../../src/platform/concurrency/single-flight.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let path: string;
beforeAll(async () => {
  ({ path } = await newCollection(t.api));
  const documents = Array.from({ length: 300 }, (_, n) => ({
    n,
    status: ['draft', 'open', 'done'][n % 3],
    title: `Number ${n} of ${n % 7}`,
    tags: [`t${n % 5}`, `t${n % 11}`],
    ...(n % 4 === 0 && { rare: `r${n % 20}` }),
  }));
  expect((await t.api.post(`${path}/batch`, { documents })).status).toBe(201);
});

const shapes: ((n: number) => string)[] = [
  (n) => `status=${['draft', 'open', 'done'][n % 3]}&n__gte=${n}&limit=5`,
  (n) => `n__lt=${n * 3}&orderBy=n&order=desc&limit=7`,
  (n) => `rare__in=r${n % 20},r${(n + 4) % 20}&orderBy=title,n&limit=9`,
  (n) => `title__contains=of ${n % 7}&limit=4&offset=${n % 3}`,
  (n) => `tags=t${n % 11}&n__ne=${n}&limit=6`,
  (n) => `[or]n=${n}&[or]title__startswith=Number ${n}&limit=8`,
  (n) => `createdAt__gte=2020-01-0${1 + (n % 9)}&rare__isnull=${n % 2 === 0}&limit=3`,
];

test('lists that differ in their values only give together what each gives alone', async () => {
  for (const prefer of ['', 'count=none', 'count=exact']) {
    for (const shape of shapes) {
      const queries = Array.from({ length: 40 }, (_, n) => `${path}?${encodeURI(shape(n))}`);
      const get = async (query: string) => (await t.api.get(query, { headers: { prefer } })).text;
      const alone: string[] = [];
      for (const query of queries) alone.push(await get(query));
      expect(alone.every((text) => text.startsWith('{"success":true'))).toBe(true);
      // Twice: what was quick the first time goes together the second time, at the latest.
      for (let round = 0; round < 2; round += 1) expect(await Promise.all(queries.map(get))).toEqual(alone);
    }
  }
});

test('whoever lists after a write sees it, however many ask for the same list', async () => {
  const { path: own } = await newCollection(t.api);
  const worker = async (number: number) => {
    for (let turn = 0; turn < 15; turn += 1) {
      const { body } = await t.api.post(own, { number, turn });
      const list = await t.api.get(`${own}?limit=100`);
      const ids = list.body.data.map(({ id }: { id: string }) => id);
      expect(ids).toContain(body.data.id);
      expect((await t.api.delete(`${own}/${body.data.id}`)).status).toBe(200);
      expect((await t.api.get(`${own}?limit=100`)).text).not.toContain(body.data.id);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => worker(number)));
});

test('work that is asked for while it is done is done once more, for all who asked meanwhile', async () => {
  const sharing = new SingleFlight<number>();
  const gates: PromiseWithResolvers<void>[] = [];
  const work = async () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return gates.indexOf(gate);
  };
  const first = [sharing.run('key', work), sharing.run('key', work)];
  const other = sharing.run('other', work);
  await expect.poll(() => gates.length).toBe(2);
  const late = [sharing.run('key', work), sharing.run('key', work)];
  gates[0]!.resolve();
  gates[1]!.resolve();
  expect(await Promise.all([...first, other])).toEqual([0, 0, 1]);
  await expect.poll(() => gates.length).toBe(3);
  gates[2]!.resolve();
  expect(await Promise.all(late)).toEqual([2, 2]);
});

test('work that fails, fails for all who asked for it, and for nobody after', async () => {
  const sharing = new SingleFlight<string>();
  const failing = () => Promise.reject(new Error('no'));
  const outcomes = await Promise.allSettled([sharing.run('key', failing), sharing.run('key', failing)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await sharing.run('key', async () => 'yes')).toBe('yes');
});
