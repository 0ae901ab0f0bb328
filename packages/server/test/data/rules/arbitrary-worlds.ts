import type { Dice } from '../../support/data/dice.ts';
import type { Fields, ModelUser } from './model.ts';

/** Few values, so that what is stored, written and referred to often meets; and near misses of each other. */
const scalars = ['red', 'RED', 'blue', '10', 10, 1, true, false, 'true', null, 'x,y'];
const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';
const texts = ['red', 'Red', 'blue', '10', '1', '1e1', 'true', 'x,y', 'e'];
const roles = ['user', 'admin', 'red'];

/** Ids that a document may hold. */
export interface KnownIds {
  readonly users: readonly string[];
  readonly teams: readonly string[];
  /** Of records that were deleted. */
  readonly gone: readonly string[];
}

const maybe = (dice: Dice, name: string, share: number, value: () => unknown): Fields =>
  dice.chance(share) ? { [name]: value() } : {};

/** What the user and the server say of a user. */
export function userFields(
  dice: Dice,
  ids: KnownIds,
): Pick<ModelUser, 'role' | 'email_verified' | 'data' | 'claims'> {
  return {
    role: dice.pick(roles),
    email_verified: dice.chance(0.5),
    data: {
      ...maybe(dice, 'x', 0.7, () => dice.pick(scalars)),
      ...maybe(dice, 'list', 0.6, () => dice.several([...scalars, ...ids.teams], 4)),
      ...maybe(dice, 'nested', 0.5, () => ({ y: dice.pick(scalars) })),
      ...maybe(dice, 'friend', 0.5, () => dice.pick(ids.users)),
      private: { x: dice.pick(scalars) },
    },
    claims: {
      ...maybe(dice, 'level', 0.6, () => dice.pick(scalars)),
      ...maybe(dice, 'team', 0.5, () => dice.pick(ids.teams)),
    },
  };
}

export function teamFields(dice: Dice, ids: KnownIds): Fields {
  return {
    ...maybe(dice, 'level', 0.8, () => dice.pick(scalars)),
    ...maybe(dice, 'flag', 0.6, () => dice.chance(0.5)),
    ...maybe(dice, 'lead_id', 0.7, () => dice.pick([...ids.users, ...ids.gone])),
    ...maybe(dice, 'due', 0.5, () => dice.pick([past, future])),
  };
}

export function postFields(dice: Dice, ids: KnownIds): Fields {
  const aTeam = () => dice.pick([...ids.teams, ...ids.teams, ...ids.gone, 'none']);
  return {
    ...maybe(dice, 'kind', 0.8, () => dice.pick(scalars)),
    ...maybe(dice, 'tags', 0.7, () => (dice.chance(0.8) ? dice.several(scalars, 3) : dice.pick(scalars))),
    ...maybe(dice, 'meta', 0.7, () => maybe(dice, 'level', 0.8, () => dice.pick(scalars))),
    ...maybe(dice, 'due', 0.6, () => dice.pick([past, future])),
    ...maybe(dice, 'owner_id', 0.8, () => dice.pick([...ids.users, ...ids.users, ...ids.gone])),
    ...maybe(dice, 'team', 0.2, aTeam),
    ...maybe(dice, 'team_id', 0.6, aTeam),
    ...maybe(dice, 'team_ids', 0.6, () => dice.several([...ids.teams, ...ids.gone, 'none', 10], 4)),
  };
}

/** A path that conditions can be about, and what is worth comparing it with. */
export interface Subject {
  readonly path: string;
  readonly texts: readonly string[];
  readonly references: readonly string[];
  /** A time is compared, and nothing else. */
  readonly isTime?: boolean;
}

const caller = ['@user.data.x', '@user.data.nested.y', '@user.claims.level', '@user.role', '@user.role'];
const absent = ['@user.data.nothing', '@user.claims.nothing.at.all'];
const plain = (path: string): Subject => ({ path, texts, references: [...caller, ...absent] });
const person = (path: string): Subject => ({
  path,
  texts: ['nobody'],
  references: ['@user.id', '@user.id', '@user.data.friend'],
});
const due: Subject = { path: 'due', texts: [past, future], references: ['@now'] };
const created: Subject = {
  path: 'createdAt',
  texts: ['2020-01-01', '2100-01-01T00:00:00Z'],
  references: ['@now'],
  isTime: true,
};
const verified: Subject = {
  path: 'owner.email_verified',
  texts: ['true', 'false'],
  references: ['@user.email_verified'],
};
const team: Subject = { path: 'team_id', texts: ['none'], references: ['@user.claims.team'] };
const roleOf = (path: string): Subject => ({
  path,
  texts: roles,
  references: ['@user.role', '@user.role', ...absent],
});

/** The caller itself. */
const callers = [
  ...['@user.data.x', '@user.data.nested.y', '@user.claims.level', '@user.data.list'].map(plain),
  roleOf('@user.role'),
];

/** What a rule may be about: every field, through every link, and the caller. */
export const ruleSubjects: Record<'posts' | 'teams', readonly Subject[]> = {
  posts: [
    ...['kind', 'kind', 'tags', 'meta.level', 'owner.data.x', 'owner.claims.level'].map(plain),
    ...['team.level', 'teams.level', 'owner.data.private.x'].map(plain),
    ...['owner_id', 'owner_id', 'team.lead_id'].map(person),
    ...['owner.role', 'team.lead.role'].map(roleOf),
    ...callers,
    due,
    created,
    { ...created, path: 'owner.createdAt' },
    verified,
    team,
    { path: 'team_ids', texts: ['none'], references: ['@user.claims.team', '@user.data.list'] },
  ],
  teams: [
    ...['level', 'level', 'flag', 'lead.data.x', 'lead.claims.level'].map(plain),
    ...['lead_id', 'lead_id'].map(person),
    roleOf('lead.role'),
    ...callers,
    due,
    created,
  ],
};

/** What any caller may ask through a link of a post. */
export const relationSubjects: readonly Subject[] = [
  ...['team.level', 'team.flag', 'teams.level', 'owner.data.x', 'team.lead.data.nested.y'].map(plain),
  ...['owner.role', 'team.lead.role', 'teams.lead.role'].map(roleOf),
  { path: 'team.due', texts: [past, future], references: [] },
];
