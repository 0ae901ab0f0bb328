// @tables own
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dice, seed } from '../../support/data/dice.ts';
import { Stage } from '../../support/data/stage.ts';
import { condition } from './arbitrary-rules.ts';
import { relationSubjects } from './arbitrary-worlds.ts';
import { expectedSight } from './expected.ts';
import { type MemoryReader, memoryReader } from './memory-reader.ts';
import { queryOf, ruleText, type World } from './model.ts';
import { type Caller, Oracle } from './oracle.ts';
import { type Cast, gather, setRules, setScene } from './random-worlds.ts';
import { type Collections, serviceSight } from './service-sight.ts';

const scenes = 10;
const rulesEach = 6;
const orders = ['id', 'kind', 'kind,updatedAt', 'meta.level'];

let stage: Stage;
let cast: Cast;
let inMemory: MemoryReader;
beforeAll(async () => {
  stage = await Stage.open();
  cast = await gather(stage);
  inMemory = await memoryReader(stage.t, stage.ref);
});
afterAll(() => stage[Symbol.asyncDispose]());

const oracle = new Oracle();
const seen = { cases: 0, readable: 0, closed: 0, populated: 0, related: 0, refused: 0 };

/** One caller of one world: every way to read gives the same. */
async function check(collections: Collections, world: World, caller: Caller, dice: Dice): Promise<void> {
  const client = cast.people.find(({ id }) => id === caller?.id)?.client ?? stage.anonymous;
  const filter = [condition(dice, relationSubjects, false)];
  const expected = expectedSight(oracle, world, caller, filter);
  const { single, ...listed } = await serviceSight(client, collections, world, filter, dice.pick(orders));
  const situation = JSON.stringify(
    {
      read: ruleText(world.rules.posts),
      teams: ruleText(world.rules.teams),
      filter: queryOf(filter),
      caller,
      world,
    },
    null,
    1,
  );
  expect(listed, situation).toEqual(expected);
  for (const name of ['posts', 'teams'] as const) {
    const open = expected[name] === 'closed' ? [] : expected[name];
    const expectedSingle = caller || expected[name] !== 'closed' ? open : 'closed';
    expect(single[name], `single ${name} ${situation}`).toEqual(expectedSingle);
    expect(await inMemory(collections[name], world[name], caller), `in memory ${name} ${situation}`).toEqual(
      open,
    );
    seen.cases += world[name].length;
    seen.readable += open.length;
  }
  if (expected.posts === 'closed') seen.closed += 1;
  seen.populated += JSON.stringify(expected.populated).split('"level"').length - 1;
  if (expected.related === 'refused') seen.refused += 1;
  else if (expected.related !== 'closed') seen.related += expected.related.length;
}

test('Q9: lists, single reads, population, relation filters and memory agree with the naive oracle on who may read what', async () => {
  console.log(`PLINTH_SEED=${seed}`);
  const dice = new Dice(seed);
  for (let number = 0; number < scenes; number += 1) {
    const { collections, scene } = await setScene(stage, cast, dice);
    for (let rule = 0; rule < rulesEach; rule += 1) {
      const world = await setRules(stage, collections, scene, dice);
      for (const caller of [undefined, ...world.users.slice(0, cast.people.length)]) {
        await check(collections, world, caller, dice);
      }
    }
  }
  console.log(seen);
  expect(seen.cases).toBeGreaterThanOrEqual(2000);
  // A check that seldom sees a document, or always sees it, would prove nothing.
  expect(seen.readable / seen.cases).toBeGreaterThan(0.15);
  expect(seen.readable / seen.cases).toBeLessThan(0.8);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
