import type { RequestContext } from '../../../calls/index.ts';
import { signedIn } from '../sessions/index.ts';
import { lockSignInMethods } from '../user-records/index.ts';
import type { IdentityDeps } from './deps.ts';
import { identityNotFound, lastSignInMethod } from './errors.ts';
import { isProviderName } from './provider.ts';
import {
  hasAnyIdentity,
  type Identity,
  listIdentities,
  removeAllIdentities,
  removeIdentities,
} from './store.ts';

/** The providers that sign the user in. */
export async function listOwnIdentities(context: RequestContext): Promise<Identity[]> {
  return listIdentities(context.db, signedIn(context).id);
}

/** Disconnects the user from a provider, unless that is the last way to sign in. */
export async function removeOwnIdentity(
  { hasOtherMethod }: Pick<IdentityDeps, 'hasOtherMethod'>,
  context: RequestContext,
  provider: string,
): Promise<void> {
  const { id } = signedIn(context);
  if (!isProviderName(provider)) throw identityNotFound(provider);
  await context.db.transaction(async (db) => {
    const { hasPassword } = await lockSignInMethods(db, id);
    if (!(await removeIdentities(db, id, provider))) throw identityNotFound(provider);
    if (hasPassword || (await hasAnyIdentity(db, id))) return;
    if (!(await hasOtherMethod({ ...context, db }, id))) throw lastSignInMethod();
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
