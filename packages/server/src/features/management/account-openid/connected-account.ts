import type { ControlDb } from '../../../platform/db/control-db.ts';
import type { ProvenIdentity } from '../../people/index.ts';
import { accountOfVouched } from '../accounts/index.ts';
import { issuerOf, type OpenIdDeps } from './deps.ts';
import { addressNotVouched, connectedToAnother } from './errors.ts';
import { findAccountOf, insertIdentity, lockIdentity } from './identity-store.ts';

/** What an account shows of a person: see `accountAnswer`. */
const longestName = 100;

/**
 * The account of whom the issuer has identified. Who comes for the first time is connected to the account with the same
 * address, or gets a new one; the issuer must say that it has verified the address.
 */
export async function connectedAccount(
  deps: OpenIdDeps,
  control: ControlDb,
  { subject, email, isEmailVouched, data }: ProvenIdentity,
): Promise<{ accountId: string; account: 'known' | 'connected' | 'new' }> {
  const identity = { issuer: issuerOf(deps).name, subject };
  await lockIdentity(control, identity);
  const known = await findAccountOf(control, identity);
  if (known !== undefined) return { accountId: known, account: 'known' };
  if (email === undefined || !isEmailVouched) throw addressNotVouched();
  const name = data.name !== undefined && data.name.length <= longestName ? data.name : '';
  const { id: accountId, isNew } = await accountOfVouched(deps.accounts, control, { email, name });
  if (!(await insertIdentity(control, { ...identity, accountId, email }))) throw connectedToAnother();
  return { accountId, account: isNew ? 'new' : 'connected' };
}
