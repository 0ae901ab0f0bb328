import type { RequestContext } from '../../../calls/index.ts';
import { signedIn } from '../sessions/index.ts';
import { getUser, lockSignInMethods } from '../user-records/index.ts';
import type { IdentityDeps } from './deps.ts';
import { identityNotFound, lastMethodOfUser, lastSignInMethod } from './errors.ts';
import { isProviderName } from './provider.ts';
import {
  hasAnyIdentity,
  type Identity,
  listIdentities,
  removeAllIdentities,
  removeIdentities,
} from './store.ts';

type Others = Pick<IdentityDeps, 'hasOtherMethod'>;

/** The providers that sign the user in. */
export async function listOwnIdentities(context: RequestContext): Promise<Identity[]> {
  return listIdentities(context.db, signedIn(context).id);
}

/** The providers that sign a user in, for the project's server. */
export async function listIdentitiesOfUser(context: RequestContext, userId: string): Promise<Identity[]> {
  const { id } = await getUser(context, userId);
  return listIdentities(context.db, id);
}

/** Disconnects the user from a provider, unless that is the last way to sign in. */
export async function removeOwnIdentity(
  deps: Others,
  context: RequestContext,
  provider: string,
): Promise<void> {
  await removeIdentity(deps, context, {
    userId: signedIn(context).id,
    provider,
    refuseLast: lastSignInMethod,
  });
}

/** Disconnects a user from a provider; from the last way to sign in only if that is meant. */
export async function removeIdentityOfUser(
  deps: Others,
  context: RequestContext,
  { userId, provider, isEvenLast }: { userId: string; provider: string; isEvenLast: boolean },
): Promise<void> {
  const { id } = await getUser(context, userId);
  const refuseLast = isEvenLast ? undefined : lastMethodOfUser;
  await removeIdentity(deps, context, { userId: id, provider, refuseLast });
}

interface IdentityRemoval {
  readonly userId: string;
  readonly provider: string;
  /** What is answered if it is the last way to sign in; without it, that goes too. */
  readonly refuseLast: (() => Error) | undefined;
}

async function removeIdentity(
  { hasOtherMethod }: Others,
  context: RequestContext,
  { userId, provider, refuseLast }: IdentityRemoval,
): Promise<void> {
  if (!isProviderName(provider)) throw identityNotFound(provider);
  await context.db.transaction(async (db) => {
    const { hasPassword } = await lockSignInMethods(db, userId);
    if (!(await removeIdentities(db, userId, provider))) throw identityNotFound(provider);
    if (!refuseLast || hasPassword || (await hasAnyIdentity(db, userId))) return;
    if (!(await hasOtherMethod({ ...context, db }, userId))) throw refuseLast();
  });
}

/** Whether a user can sign in at a provider. */
export async function hasIdentities({ db }: Pick<RequestContext, 'db'>, userId: string): Promise<boolean> {
  return hasAnyIdentity(db, userId);
}

/** Forgets every provider that signs a user in, because somebody else has proved to be the owner. */
export async function unlinkIdentities({ db }: Pick<RequestContext, 'db'>, userId: string): Promise<void> {
  await removeAllIdentities(db, userId);
}
