// @tables own
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { Dice, seed } from '../../support/data/dice.ts';
import { arbitraryRule, condition } from './arbitrary-rules.ts';
import { postFields, relationSubjects, teamFields, userFields } from './arbitrary-worlds.ts';
import { expectedSight } from './expected.ts';
import type { ModelUser, World } from './model.ts';
import { type Caller, Oracle } from './oracle.ts';
import { plantedBugs } from './planted-bugs.ts';
import { size } from './random-worlds.ts';

/** A world as the real run makes them, with ids made here. */
function arbitraryWorld(dice: Dice): World {
  const times = { createdAt: '2026-01-31T12:00:00.000Z', updatedAt: '2026-01-31T12:00:00.000Z' };
  const many = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
  const ids = {
    users: many(size.people + 1, () => newId(0)),
    teams: many(size.teams, () => newId(1)),
    gone: [newId(0), newId(1)],
  };
  return {
    users: ids.users.map(
      (id): ModelUser => ({ id, email: `${id}@example.com`, ...times, ...userFields(dice, ids) }),
    ),
    teams: ids.teams.map((id) => ({ id, ...times, ...teamFields(dice, ids) })),
    posts: many(size.posts, () => ({ id: newId(2), ...times, ...postFields(dice, ids) })),
    rules: { posts: arbitraryRule(dice, 'posts'), teams: arbitraryRule(dice, 'teams') },
  };
}

const caught: Record<string, number> = {};
afterAll(() => console.log(`PLINTH_SEED=${seed}; caught after how many callers of worlds:`, caught));

/** Whether someone of a random world would see something else by a wrong oracle. */
function isNoticed(dice: Dice, wrong: Oracle): boolean {
  const world = arbitraryWorld(dice);
  const callers: Caller[] = [undefined, ...world.users.slice(0, size.people)];
  return callers.some((caller) => {
    const filter = [condition(dice, relationSubjects, false)];
    const seen = expectedSight(wrong, world, caller, filter);
    return !isDeepStrictEqual(seen, expectedSight(new Oracle(), world, caller, filter));
  });
}

// The real run compares the service with the oracle in each case: where a wrong oracle differs, it would notice.
test.each(Object.entries(plantedBugs))('the check catches an evaluator where %s', (bug, planted) => {
  const dice = new Dice(seed);
  const wrong = planted();
  let worlds = 1;
  while (worlds < 600 && !isNoticed(dice, wrong)) worlds += 1;
  caught[bug] = worlds * (size.people + 1);
  expect(worlds).toBeLessThan(600);
});
