import { randomUUID } from 'node:crypto';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { emailKey } from '../../people/index.ts';
import type { AccountRecord } from './account.ts';
import { findByEmail, insertAccount, lockProofs } from './account-store.ts';
import type { AccountDeps } from './deps.ts';
import { signUpClosed } from './errors.ts';
import { handOver } from './hand-over.ts';
import { removeSignUpLinksTo } from './link-store.ts';

/** Somebody whose address a trusted issuer has verified. */
interface VouchedPerson {
  readonly email: string;
  readonly name: string;
}

/** The account of whoever has this address: the one there is, or a new one where they may have one. In a transaction. */
export async function accountOfVouched(
  deps: Pick<AccountDeps, 'signUp' | 'isAwaited'>,
  control: ControlDb,
  person: VouchedPerson,
): Promise<{ id: string; isNew: boolean }> {
  const key = emailKey(person.email);
  const known = await findByEmail(control, key);
  const made = known ? undefined : await makeAccount(deps, control, person);
  if (made) return { id: made.id, isNew: true };
  // Or somebody else has made it at the same moment.
  const { id } = known ?? (await findByEmail(control, key)) ?? {};
  if (id === undefined) throw new Error('The account no longer exists.');
  await lockProofs(control, id);
  await handOver(control, id);
  return { id, isNew: false };
}

async function makeAccount(
  { signUp, isAwaited }: Pick<AccountDeps, 'signUp' | 'isAwaited'>,
  control: ControlDb,
  { email, name }: VouchedPerson,
): Promise<AccountRecord | undefined> {
  const key = emailKey(email);
  const isInvited =
    signUp === 'invited' && ((await removeSignUpLinksTo(control, key)) || (await isAwaited(control, key)));
  if (signUp !== 'open' && !isInvited) throw signUpClosed();
  return insertAccount(control, {
    id: randomUUID(),
    email,
    emailKey: key,
    isVerified: true,
    name,
    passwordHash: null,
  });
}
