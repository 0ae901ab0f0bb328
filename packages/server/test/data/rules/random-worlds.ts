import { expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import type { Dice } from '../../support/data/dice.ts';
import { type Person, type Stage, succeed } from '../../support/data/stage.ts';
import { arbitraryRule } from './arbitrary-rules.ts';
import { type KnownIds, postFields, teamFields, userFields } from './arbitrary-worlds.ts';
import {
  type Fields,
  type ModelDocument,
  type ModelUser,
  ownerFields,
  ruleText,
  type World,
} from './model.ts';
import type { Collections } from './service-sight.ts';

export const size = { posts: 7, teams: 5, people: 4 };

/** People who stay, with what is said of them changing from world to world. */
export interface Cast {
  readonly people: readonly Person[];
  /** Links lead to this one too, but it cannot call. */
  readonly suspended: Person;
  /** The id of someone deleted. */
  readonly gone: string;
}

export async function gather(stage: Stage): Promise<Cast> {
  const people = await Promise.all(Array.from({ length: size.people }, () => stage.person()));
  const suspended = await stage.person();
  await succeed(stage.api.patch(`/auth-collections/users/${suspended.id}`, { suspended: true }));
  const { id: gone } = await stage.person();
  await succeed(stage.api.delete(`/auth-collections/users/${gone}`));
  return { people, suspended, gone };
}

/** New collections with random documents, and new things said of the people; the rules come later. */
export async function setScene(
  stage: Stage,
  cast: Cast,
  dice: Dice,
): Promise<{ collections: Collections; scene: Omit<World, 'rules'> }> {
  const collections = {
    posts: await stage.collection({ ownerField: ownerFields.posts }, 'posts'),
    teams: await stage.collection({ ownerField: ownerFields.teams }, 'teams'),
  };
  const everyone = [...cast.people, cast.suspended].map(({ id }) => id);
  const ids = { users: everyone, teams: [], gone: [cast.gone] };
  const made = await stage.documents(
    collections.teams,
    Array.from({ length: size.teams + 1 }, () => teamFields(dice, ids)),
  );
  const [removed, ...teams] = made as ModelDocument[];
  await succeed(stage.api.delete(`/collections/${collections.teams}/${removed!.id}`));
  const known: KnownIds = {
    users: everyone,
    teams: teams.map(({ id }) => id),
    gone: [cast.gone, removed!.id],
  };
  const users: ModelUser[] = [];
  for (const id of everyone) users.push(await describe(stage.api, id, userFields(dice, known)));
  const bodies = Array.from({ length: size.posts }, () => postFields(dice, known));
  // A relation is one from the first link on: without any, a filter through it would be about a plain field.
  bodies[0] = { ...bodies[0], team_id: known.teams[0], team_ids: [known.teams[0]] };
  const posts = (await stage.documents(collections.posts, bodies)) as ModelDocument[];
  return { collections, scene: { posts, teams, users } };
}

async function describe(api: Client, id: string, said: ReturnType<typeof userFields>): Promise<ModelUser> {
  const record = await succeed(api.get(`/auth-collections/users/${id}`));
  const replacing = (before: Fields, after: Fields) => ({
    ...after,
    $unset: Object.fromEntries(
      Object.keys(before)
        .filter((key) => !(key in after))
        .map((key) => [key, true]),
    ),
  });
  const changed = await succeed(
    api.patch(`/auth-collections/users/${id}`, {
      ...said,
      data: replacing(record.data, said.data),
      claims: replacing(record.claims, said.claims),
    }),
  );
  expect(changed).toMatchObject({ ...said });
  return changed;
}

/** Gives the collections of a scene new rules. */
export async function setRules(
  stage: Stage,
  collections: Collections,
  scene: Omit<World, 'rules'>,
  dice: Dice,
): Promise<World> {
  const rules = { posts: arbitraryRule(dice, 'posts'), teams: arbitraryRule(dice, 'teams') };
  for (const name of ['posts', 'teams'] as const)
    await stage.settings(collections[name], { rules: { read: ruleText(rules[name]) } });
  return { ...scene, rules };
}
