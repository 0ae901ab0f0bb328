import type { CallGuards, Quotas, RequestContext } from '../../../calls/index.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { newId, timeOfId } from '../../../platform/ids.ts';
import { applyPatch, fieldsJson } from '../../data/index.ts';
import { emailKey } from './email.ts';
import { emailTaken } from './errors.ts';
import type { UserFlows } from './user-flows.ts';
import { type AppUser, type Fields, userRecord } from './user-record.ts';
import { insertUser } from './user-store.ts';
import { findUserByEmail } from './users.ts';

const defaultRole = 'user';

interface UserWish {
  readonly email: string;
  readonly role?: string | undefined;
  readonly data?: Fields;
  readonly claims?: Fields;
  readonly phone?: string | null;
  readonly emailVerified?: boolean | undefined;
  readonly isSuspended?: boolean | undefined;
}

/** An app user that is not there yet. */
export interface NewUser {
  readonly user: AppUser;
  /** Null: the user signs in by other means than a password. */
  readonly passwordHash: string | null;
}

export function newUser(
  { email, role = defaultRole, data = {}, claims = {}, phone = null, ...is }: UserWish,
  passwordHash: string | null,
): NewUser {
  const id = newId(0);
  const user = {
    id,
    email,
    role,
    email_verified: is.emailVerified ?? false,
    phone,
    data,
    claims,
    isSuspended: is.isSuspended ?? false,
    updatedAt: timeOfId(id),
  };
  return { user, passwordHash };
}

/** Asks the code of the project about a new user: it may refuse, or set role, `data` and `claims`. */
export async function guardUser(
  context: RequestContext,
  wanted: NewUser,
  { method, guards }: { readonly method: string; readonly guards: CallGuards },
): Promise<NewUser> {
  const hooks = guards.before('pre_register');
  if (!hooks) return wanted;
  let { user } = wanted;
  if (await findUserByEmail(context, user.email)) throw emailTaken();
  for (const ask of hooks) {
    const changes = await ask({ user: userRecord(user), method });
    if (changes) user = withChanges(user, changes);
  }
  return { ...wanted, user };
}

/** Whatever else the code names stays as it is. */
function withChanges(user: AppUser, { role = user.role, data, claims }: Readonly<Fields>): AppUser {
  if (typeof role !== 'string' || role.length === 0 || role.length > 64)
    throw invalidBody(
      'The hook that runs before sign-ups returned a role that is not a string of 1 to 64 characters.',
    );
  return { ...user, role, data: changed(user.data, data), claims: changed(user.claims, claims) };
}

function changed(before: Fields, changes: unknown): Fields {
  if (typeof changes !== 'object' || changes === null) return before;
  const after = applyPatch(before, changes as Fields);
  fieldsJson(after);
  return after;
}

interface CreateDeps {
  readonly flows: UserFlows;
  readonly quotas: Quotas;
}

/** Creates an app user who signs up, with or without a password, and what comes with it. Call it in a transaction. */
export async function createUser(deps: CreateDeps, context: RequestContext, wanted: NewUser): Promise<void> {
  await addUser(deps, context, wanted);
  await deps.flows.signedUp(context, wanted.user);
}

/** Creates an app user, who gets no mail. Call it in a transaction. */
export async function addUser(
  { flows, quotas }: CreateDeps,
  context: RequestContext,
  { user, passwordHash }: NewUser,
): Promise<void> {
  const secrets = { emailKey: emailKey(user.email), passwordHash };
  const isNew = await quotas.spend(context, { users: 1 }, () => insertUser(context.db, user, secrets));
  if (!isNew) throw emailTaken();
  await flows.created(context, user);
}
