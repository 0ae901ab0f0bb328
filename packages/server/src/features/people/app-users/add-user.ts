import { isOperatorName } from '@plinth/protocol';
import type { RequestContext } from '../../../calls/index.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { applyPatch, type Fields, fieldsJson } from '../../data/index.ts';
import { type GivenHash, readForeignHash } from '../passwords/index.ts';
import { type AppUser, addUser, type NewUser, newUser, readEmail, readPhone } from '../user-records/index.ts';
import type { AppUserDeps } from './deps.ts';
import { operatorAtSignUp } from './errors.ts';

/** A user that the project's server creates. */
export interface NewUserWish {
  readonly email: string;
  readonly email_verified?: boolean;
  readonly phone?: string;
  readonly role?: string;
  readonly data?: Fields;
  readonly claims?: Fields;
  readonly suspended?: boolean;
  readonly password?: string;
  readonly passwordHash?: GivenHash;
}

/** Checks a user that is to be created, and hashes its password. */
export async function checkNewUser(
  deps: AppUserDeps,
  context: RequestContext,
  wish: NewUserWish,
): Promise<NewUser> {
  const email = readEmail(wish.email);
  const phone = wish.phone === undefined ? null : readPhone(wish.phone);
  const [data, claims] = [readFields(wish.data), readFields(wish.claims)];
  const passwordHash = await hashOf(deps, context, wish);
  const is = { emailVerified: wish.email_verified, isSuspended: wish.suspended };
  return newUser({ email, phone, role: wish.role, data, claims, ...is }, passwordHash);
}

/** Null: the user has no password yet, or none at all. */
async function hashOf(
  { passwords }: AppUserDeps,
  { project }: RequestContext,
  { password, passwordHash }: NewUserWish,
): Promise<string | null> {
  if (password !== undefined && passwordHash !== undefined)
    throw invalidBody('Send `password` or `passwordHash`, not both.');
  if (passwordHash !== undefined) return readForeignHash(passwordHash);
  return password === undefined ? null : passwords.hash(project.id, password);
}

function readFields(given: Fields = {}): Fields {
  const operator = Object.keys(given).find(isOperatorName);
  if (operator !== undefined) throw operatorAtSignUp(operator);
  const fields = applyPatch({}, given);
  fieldsJson(fields);
  return fields;
}

/** Creates a user for the project's server. Nobody is signed in, and nobody gets a mail. */
export async function createUserAsServer(
  deps: AppUserDeps,
  context: RequestContext,
  wanted: NewUser,
): Promise<AppUser> {
  const { user } = wanted;
  await context.db.transaction(async (db) => {
    await addUser(deps, { ...context, db }, wanted);
    await deps.links.note({ ...context, db }, 0, [user.data], deps.loadLinked({ ...context, db }));
  });
  return user;
}
