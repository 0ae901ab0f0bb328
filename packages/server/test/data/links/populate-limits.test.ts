// @tables own moving
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { statementsOf } from '../../support/data/count-statements.ts';
import { outcome, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** What a node remembers of collections and links is not part of a list; news of what was just made would undo it. */
async function remember(ask: () => Promise<unknown>): Promise<void> {
  await stage.t.app.caughtUp();
  await ask();
}

/** How many statements a call makes: the fewest of three times, since what a node notes now and then is counted, too. */
async function fewestOf(ask: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let time = 0; time < 3; time += 1) counts.push((await statementsOf(ask)).length);
  return Math.min(...counts);
}

test('Q8: five levels are followed, six are refused', async () => {
  const collection = await stage.collection();
  await stage.document(collection, { a: 1 });
  const at = `/collections/${collection}?populate=`;
  expect(await outcome(stage.api.get(`${at}a.b.c.d.e`))).toBe('200');
  for (const path of ['a.b.c.d.e.f', `${'a.'.repeat(31)}a`, 'x&populate=a.b.c.d.e.f']) {
    const reply = await stage.api.get(`${at}${path}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 'invalid_query', details: { parameter: 'populate' } });
  }
  expect(await stage.api.get(`${at}${'a.'.repeat(40)}a`)).toFailWith(400, 'invalid_query');
});

test('15: fifty links are named, one more is refused', async () => {
  const collection = await stage.collection();
  const named = (count: number) => Array.from({ length: count }, (_, n) => `l${n}`).join(',');
  expect(await outcome(stage.api.get(`/collections/${collection}?populate=${named(50)}`))).toBe('200');
  expect(await stage.api.get(`/collections/${collection}?populate=${named(51)}`)).toFailWith(
    400,
    'invalid_query',
  );
});

test('Q8: a thousand linked records are populated, one more is refused', async () => {
  const targets = await stage.collection();
  const collection = await stage.collection();
  const made = await stage.documents(
    targets,
    Array.from({ length: 1000 }, (_, n) => ({ n })),
  );
  const ids = made.map(({ id }) => id);
  const { id } = await stage.document(collection, { all_ids: ids, words: Array(500).fill('no link') });
  const shown = await succeed(stage.api.get(`/collections/${collection}/${id}?populate=alls&populate=words`));
  expect(shown.alls).toHaveLength(1000);
  await stage.document(collection, { all_ids: [ids[0]] });
  const list = `/collections/${collection}?populate=alls`;
  expect(await stage.api.get(list)).toFailWith(400, 'populate_too_large');
  expect(await outcome(stage.api.get(`${list}&limit=1`))).toBe('200');
});

test('Q8: records of every level count, and those that many share count each time they are shown', async () => {
  const collection = await stage.collection();
  const hub = await stage.document(collection, {});
  const spokes = await stage.documents(
    collection,
    Array.from({ length: 10 }, () => ({ hub_ids: Array(99).fill(hub.id) })),
  );
  const { id } = await stage.document(collection, { spoke_ids: spokes.map(({ id }) => id) });
  const at = `/collections/${collection}/${id}?populate=spokes`;
  expect(await outcome(stage.api.get(`${at}.hubs`))).toBe('200');
  await succeed(
    stage.api.patch(`/collections/${collection}/${spokes[0]!.id}`, {
      $append: { hub_ids: { $each: Array(11).fill(hub.id) } },
    }),
  );
  expect(await stage.api.get(`${at}.hubs`)).toFailWith(400, 'populate_too_large');
  expect(await outcome(stage.api.get(at))).toBe('200');
});

test('Q8: a list of 100 with three levels makes one query for each level and target collection, whatever the data', async () => {
  const [posts, bots, firms, cities] = await Promise.all(
    ['posts', 'bots', 'firms', 'cities'].map((label) => stage.collection({}, label)),
  );
  const made = await stage.documents(
    cities!,
    Array.from({ length: 50 }, (_, n) => ({ n })),
  );
  const city = (n: number) => made[n % made.length]!.id;
  const firmIds = (
    await stage.documents(
      firms!,
      Array.from({ length: 80 }, (_, n) => ({ city_id: city(n), twin_ids: [city(n), city(n + 1)] })),
    )
  ).map(({ id }) => id);
  const botIds = (
    await stage.documents(
      bots!,
      Array.from({ length: 60 }, (_, n) => ({ firm_id: firmIds[n] })),
    )
  ).map(({ id }) => id);
  const people = await Promise.all([0, 1, 2].map((n) => stage.person({ firm_id: firmIds[n] })));
  const authors = [...botIds, ...people.map(({ id }) => id)];
  const fill = (author: (n: number) => unknown) => (n: number) => ({ author_id: author(n), n });
  const kinds: [string, (n: number) => unknown, number][] = [
    ['every author another', (n) => authors[n % authors.length], 4],
    ['one author for all', () => authors[0], 3],
    ['authors of one collection', (n) => botIds[n % botIds.length], 3],
    ['half of them gone', (n) => (n % 2 === 0 ? newId(0) : authors[n % authors.length]), 4],
    ['no link at all', (n) => `author ${n}`, 0],
  ];
  const figures: Record<string, number> = {};
  for (const caller of [stage.api, stage.anonymous, people[0]!.client]) {
    for (const [kind, author, most] of kinds) {
      const before = await succeed(stage.api.get(`/collections/${posts}?limit=100`));
      if (before.length > 0)
        await succeed(
          stage.api.post(`/collections/${posts}/batch-delete`, {
            ids: before.map(({ id }: { id: string }) => id),
          }),
        );
      await stage.documents(
        posts!,
        Array.from({ length: 100 }, (_, n) => fill(author)(n)),
      );
      const list = `/collections/${posts}?limit=100`;
      const populated = `${list}&populate=author.firm.city`;
      await remember(() => succeed(caller.get(populated)));
      const plain = await fewestOf(() => succeed(caller.get(list)));
      const all = await fewestOf(() => succeed(caller.get(populated)));
      figures[kind] = all - plain;
      expect(all - plain, kind).toBeLessThanOrEqual(most);
    }
  }
  console.log('queries that three levels of population add to a list of 100:', figures);
});

test('Q8: several paths to one collection on a level share one query', async () => {
  const targets = await stage.collection();
  const collection = await stage.collection();
  const [a, b, c] = await stage.documents(targets, [{}, {}, {}]);
  await stage.documents(
    collection,
    Array.from({ length: 20 }, () => ({ a_id: a!.id, b: b!.id, c_ids: [a!.id, c!.id] })),
  );
  const list = `/collections/${collection}?`;
  await remember(() => succeed(stage.api.get(`${list}populate=a`)));
  const plain = await fewestOf(() => succeed(stage.api.get(list)));
  const all = await fewestOf(() => succeed(stage.api.get(`${list}populate=a&populate=b&populate=cs`)));
  expect(all - plain).toBe(1);
});
