import { randomUUID } from 'node:crypto';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { emailKey, readEmail } from '../../people/index.ts';
import { findByEmail, findProofsByEmail, insertAccount } from './account-store.ts';
import { accountEmailTaken, noAccount } from './errors.ts';
import { linkFor, linkForNew } from './links.ts';

/** Makes a link with which somebody can make an account. Returns what the link carries. */
export async function inviteAccount(control: ControlDb, text: string): Promise<string> {
  const key = emailKey(readEmail(text));
  return control.transaction(async (control) => {
    if (await findProofsByEmail(control, key)) throw accountEmailTaken();
    return (await linkForNew(control, key)).token;
  });
}

/** The account with an e-mail address. */
export async function accountByEmail(control: ControlDb, text: string): Promise<{ id: string }> {
  const account = await findByEmail(control, emailKey(readEmail(text)));
  if (!account) throw noAccount(text);
  return account;
}

/** Makes a link that signs in, once; and the account, if there is none. For whoever runs the deployment. */
export async function signInLinkFor(control: ControlDb, text: string): Promise<string> {
  const email = readEmail(text);
  const key = emailKey(email);
  return control.transaction(async (control) => {
    const account = {
      id: randomUUID(),
      email,
      emailKey: key,
      isVerified: true,
      name: '',
      passwordHash: null,
    };
    await insertAccount(control, account);
    const proofs = await findProofsByEmail(control, key);
    if (!proofs) throw new Error('The account no longer exists.');
    return (await linkFor(control, 'sign-in', proofs)).token;
  });
}
