// @postgres newest
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { Dice } from '../support/data/dice.ts';
import { newPerson } from '../support/people/people.ts';
import { bodiesOf, written } from '../support/query/arbitrary-documents.ts';
import { filtersFor } from '../support/query/arbitrary-queries.ts';
import { loadRound, seed } from '../support/query/rounds.ts';
import { Follower } from './follower.ts';
import { bearer, beginFeed, engines, type LiveApp, liveApp } from './live-app.ts';

const rounds = 2;
const documentsEach = 25;
const filtersEach = 12;
const writesEach = 60;
const rules = [
  'public',
  'users',
  'owner',
  'kind=x',
  'kind__ne=y',
  'owner_id=@user.id',
  'count__gte=@user.data.least',
];

describe.each(engines)('R4: what is followed is what is listed, %s', (_, overrides) => {
  test('for random documents, filters, rules and writes', async () => {
    const dice = new Dice(seed);
    await using t = await liveApp(overrides());
    const people = [await newPerson(t, { data: { least: 3 } }), await newPerson(t)];
    const told = { followed: 0, refused: 0, some: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { collection, documents } = await loadRound(t.api, round, documentsEach);
      const filters = ['', ...fc.sample(filtersFor(documents), { seed: seed + round, numRuns: filtersEach })];
      await setRules(t, collection, dice);
      await beginFeed(t, collection);
      await using server = await t.live();
      await using first = await t.live(bearer(people[0]!));
      await using second = await t.live(bearer(people[1]!));
      const callers = [
        { api: t.api, live: server },
        { api: people[0]!.me, live: first },
        { api: people[1]!.me, live: second },
      ];
      const followers = callers.flatMap(({ api, live }) =>
        filters.map((filter) => ({ api, follower: new Follower(live, collection, filter) })),
      );
      const ids = documents.map(({ id }) => id);
      for (let write = 0; write < writesEach; write += 1) {
        await writeSomething(
          t.api,
          collection,
          ids,
          dice,
          people.map(({ id }) => id),
        );
        if (write % 25 === 20) await setRules(t, collection, dice);
      }
      for (const { api, follower } of followers) {
        const where = `PLINTH_SEED=${seed}, round ${round}, filter ${follower.filter}`;
        await expect
          .poll(() => difference(api, collection, follower), { interval: 50, message: where })
          .toBe('none');
        if (follower.refusal !== undefined) told.refused += 1;
        else told.followed += 1;
        const seen = follower.documents?.length ?? 0;
        if (seen > 0 && seen < ids.length) told.some += 1;
      }
    }
    console.log(told);
    // A check that seldom sees a document would prove nothing.
    expect(told.some).toBeGreaterThan(2);
  });
});

async function setRules(t: LiveApp, collection: string, dice: Dice): Promise<void> {
  const settings = {
    rules: { read: dice.pick(rules) },
    ownerField: 'owner_id',
    hiddenFields: dice.chance(0.5) ? ['address.city', 'tags'] : [],
  };
  const reply = await t.api.patch(`/collections/${collection}`, { settings });
  expect(reply.status, reply.text).toBe(200);
}

async function writeSomething(
  api: Client,
  collection: string,
  ids: string[],
  dice: Dice,
  owners: readonly string[],
): Promise<void> {
  const path = `/collections/${collection}`;
  const [body] = bodiesOf(Math.floor(dice.roll() * 2 ** 31), 1);
  const raw = written({ ...body, owner_id: dice.pick(owners) });
  const at = Math.floor(dice.roll() * ids.length);
  const kind = dice.roll();
  if (kind < 0.3 || ids.length < 5) {
    const reply = await api.post(path, undefined, { raw });
    expect(reply.status, reply.text).toBe(201);
    ids.push(reply.body.data.id);
  } else if (kind < 0.6) await api.call('PUT', `${path}/${ids[at]}`, undefined, { raw });
  else if (kind < 0.85) await api.call('PATCH', `${path}/${ids[at]}`, undefined, { raw });
  else if (kind < 0.9)
    await api.post(`${path}/batch-update`, { updates: ids.slice(0, 5).map((id) => ({ id, kind: 'x' })) });
  else await api.delete(`${path}/${ids.splice(at, 1)[0]}`);
}

/** What is wrong with what a follower has, against a list with the same words at this moment. */
async function difference(api: Client, collection: string, follower: Follower): Promise<string> {
  const query = follower.filter === '' ? '' : `${follower.filter}&`;
  const reply = await api.get(`/collections/${collection}?${query}orderBy=id&limit=1000`);
  if (reply.status !== 200) return follower.refusal === undefined ? `REST refuses: ${reply.text}` : 'none';
  if (follower.refusal !== undefined) {
    // Subscriptions that a rule has ended stay ended when it opens again.
    return /^(not_live|rule_denied|field_not_readable)$/.test(follower.refusal)
      ? 'none'
      : `refused: ${follower.refusal}`;
  }
  const [has, wants] = [JSON.stringify(follower.documents), JSON.stringify(reply.body.data)];
  return has === wants ? 'none' : `followed ${has}\nlisted ${wants}`;
}
