import type { Quotas, RequestContext } from '../../../calls/index.ts';
import { newId, timeOfId } from '../../../platform/ids.ts';
import { emailKey } from './email.ts';
import { emailTaken } from './errors.ts';
import type { UserFlows } from './user-flows.ts';
import type { AppUser, Fields } from './user-record.ts';
import { insertUser } from './user-store.ts';

const defaultRole = 'user';

interface NewUser {
  readonly email: string;
  /** Null: the user signs in by other means than a password. */
  readonly passwordHash: string | null;
  readonly role?: string | undefined;
  readonly data?: Fields;
  readonly claims?: Fields;
  readonly phone?: string | null;
  readonly emailVerified?: boolean | undefined;
  readonly isSuspended?: boolean | undefined;
}

/** Creates an app user who signs up, with or without a password, and what comes with it. Call it in a transaction. */
export async function createUser(
  deps: { readonly flows: UserFlows; readonly quotas: Quotas },
  context: RequestContext,
  wish: NewUser,
): Promise<AppUser> {
  const user = await addUser(deps, context, wish);
  await deps.flows.signedUp(context, user);
  return user;
}

/** Creates an app user, who gets no mail. Call it in a transaction. */
export async function addUser(
  { flows, quotas }: { readonly flows: Pick<UserFlows, 'created'>; readonly quotas: Quotas },
  context: RequestContext,
  { email, passwordHash, role = defaultRole, data = {}, claims = {}, phone = null, ...is }: NewUser,
): Promise<AppUser> {
  const id = newId(0);
  const user: AppUser = {
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
  const secrets = { emailKey: emailKey(email), passwordHash };
  const isNew = await quotas.spend(context, { users: 1 }, () => insertUser(context.db, user, secrets));
  if (!isNew) throw emailTaken();
  await flows.created(context, user);
  return user;
}
