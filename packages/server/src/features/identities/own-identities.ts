import { lockLoginWays, signedIn } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { identityNotFound, lastLoginWay } from './errors.ts';
import { isProviderName } from './provider.ts';
import type { IdentityServices } from './services.ts';
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

/** Disconnects the user from a provider, unless it could not log in any more. */
export async function removeOwnIdentity(
  { hasOtherWay }: Pick<IdentityServices, 'hasOtherWay'>,
  context: RequestContext,
  provider: string,
): Promise<void> {
  const { id } = signedIn(context);
  if (!isProviderName(provider)) throw identityNotFound(provider);
  await context.db.transaction(async (db) => {
    const { hasPassword } = await lockLoginWays(db, id);
    if (!(await removeIdentities(db, id, provider))) throw identityNotFound(provider);
    if (hasPassword || (await hasAnyIdentity(db, id))) return;
    if (!(await hasOtherWay({ ...context, db }, id))) throw lastLoginWay();
  });
}

/** Whether a user can sign in at a provider. */
export async function hasIdentities({ db }: Pick<RequestContext, 'db'>, userId: string): Promise<boolean> {
  return hasAnyIdentity(db, userId);
}

/** Forgets every provider that signs a user in: somebody else has turned out to be the owner of the account. */
export async function unlinkIdentities({ db }: Pick<RequestContext, 'db'>, userId: string): Promise<void> {
  await removeAllIdentities(db, userId);
}
