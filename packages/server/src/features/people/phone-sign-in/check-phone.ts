import type { RequestContext } from '../../../calls/index.ts';
import { invalidCode, takeTry } from '../one-time-secrets/index.ts';
import { requireFreshOrOwner } from '../passwords/index.ts';
import { limitTries, lockOwnSignInMethods, signedIn, signInOf } from '../sessions/index.ts';
import { type AppUser, readPhone, type SignIn, setPhone } from '../user-records/index.ts';
import { rememberAsker } from './askers.ts';
import type { PhoneSignInDeps } from './deps.ts';
import { markTextOf, requirePhoneSignIn } from './phone-code.ts';

/** The user that a phone and its code sign in. Call it outside a transaction: a wrong try must count. */
export async function checkPhoneSignIn(
  { users, vault }: PhoneSignInDeps,
  context: RequestContext,
  given: { phone: string; code: string },
): Promise<SignIn> {
  requirePhoneSignIn(context);
  const phone = readPhone(given.phone);
  await limitTries(users, context, phone);
  const marks = vault.marks(markTextOf('phone-login', phone, given.code.trim()));
  const tried = await takeTry(context.db, { purpose: 'phone-login', countedFor: phone }, marks);
  if (!tried?.isRight) throw invalidCode();
  const login = await signInOf(context, tried.userId, 'phone');
  // The number may have gone to somebody else since.
  if (login.user.phone !== phone) throw invalidCode();
  await rememberAsker(vault, context, phone);
  return login;
}

/** Checks the code that the signed-in user got on its phone. Call it outside a transaction: a wrong try must count. */
export async function checkPhone(
  { users, vault }: PhoneSignInDeps,
  context: RequestContext,
  given: { phone: string; code: string; password?: string },
): Promise<string> {
  requirePhoneSignIn(context);
  const phone = readPhone(given.phone);
  const { id } = signedIn(context);
  await requireFreshOrOwner(users, context, given.password);
  const marks = vault.marks(markTextOf('phone-verify', phone, given.code.trim()));
  const tried = await takeTry(context.db, { purpose: 'phone-verify', countedFor: id }, marks);
  if (!tried?.isRight || tried.phone !== phone) throw invalidCode();
  return phone;
}

/** Sets the phone that was checked. */
export async function verifyPhone(context: RequestContext, phone: string): Promise<AppUser> {
  return context.db.transaction(async (db) => {
    await lockOwnSignInMethods({ ...context, db });
    return setPhone({ ...context, db }, signedIn(context).id, phone);
  });
}
