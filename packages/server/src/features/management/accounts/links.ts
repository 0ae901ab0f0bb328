import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidToken, newToken, passwordMarkOf } from '../../people/index.ts';
import { lockProofs, type Proofs } from './account-store.ts';
import { insertLink, type LinkPurpose, removeLink, removeLinksOf } from './link-store.ts';

const lastsS: Readonly<Record<LinkPurpose, number>> = {
  verify: 24 * 3600,
  reset: 3600,
  'sign-up': 7 * 24 * 3600,
  'sign-in': 24 * 3600,
  login: 600,
};

/** Makes a link for an account; it stops working when the password changes. */
export async function linkFor(
  control: ControlDb,
  purpose: LinkPurpose,
  { id, emailKey, passwordHash }: Pick<Proofs, 'id' | 'emailKey' | 'passwordHash'>,
): Promise<{ token: string; lastsS: number }> {
  return keep(control, purpose, { accountId: id, emailKey, passwordMark: passwordMarkOf(passwordHash) });
}

/** Makes a link for somebody who has no account yet. */
export async function linkForNew(
  control: ControlDb,
  emailKey: string,
): Promise<{ token: string; lastsS: number }> {
  return keep(control, 'sign-up', { accountId: null, emailKey, passwordMark: null });
}

/** Lets whoever knows what this is the hash of log in for an account, until its password changes. */
export async function keepLogin(control: ControlDb, hash: Buffer, owner: Proofs): Promise<void> {
  const { id: accountId, emailKey, passwordHash } = owner;
  const passwordMark = passwordMarkOf(passwordHash);
  // One at a time: what is approved later replaces what nobody has taken.
  await removeLinksOf(control, accountId, 'login');
  await insertLink(control, {
    accountId,
    emailKey,
    passwordMark,
    hash,
    purpose: 'login',
    lastsS: lastsS.login,
  });
}

async function keep(
  control: ControlDb,
  purpose: LinkPurpose,
  link: { accountId: string | null; emailKey: string; passwordMark: Buffer | null },
): Promise<{ token: string; lastsS: number }> {
  const token = newToken();
  await insertLink(control, { ...link, hash: sha256(token), purpose, lastsS: lastsS[purpose] });
  return { token, lastsS: lastsS[purpose] };
}

/** Uses up the link of an account, whose row is locked from here on. */
export async function takeLink(
  control: ControlDb,
  token: string,
  purpose: LinkPurpose,
  refusal: () => Error = invalidToken,
): Promise<Proofs> {
  const link = await removeLink(control, sha256(token), purpose);
  const owner = link?.accountId ? await lockProofs(control, link.accountId) : undefined;
  if (!link || !owner || owner.emailKey !== link.emailKey) throw refusal();
  if (!link.passwordMark?.equals(passwordMarkOf(owner.passwordHash))) throw refusal();
  return owner;
}

/** Uses up a link for somebody without an account. False: it is not for this address, or no longer works. */
export async function takeSignUpLink(control: ControlDb, token: string, emailKey: string): Promise<boolean> {
  const link = await removeLink(control, sha256(token), 'sign-up');
  return link?.emailKey === emailKey;
}
