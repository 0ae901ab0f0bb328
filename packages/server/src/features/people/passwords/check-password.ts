import type { RequestContext } from '../../../calls/index.ts';
import { limitTries, requireActive, signedIn } from '../sessions/index.ts';
import {
  emailKey,
  findPasswordHash,
  findSignInByEmail,
  replacePassword,
  type SignIn,
} from '../user-records/index.ts';
import type { PasswordDeps } from './deps.ts';
import { wrongPassword } from './errors.ts';
import { isForeign } from './password-hasher.ts';

/** The user of an e-mail and a password. An unknown e-mail and a wrong password get one answer and take the same time. */
export async function checkPassword(
  deps: PasswordDeps,
  context: RequestContext,
  { email, password }: { email: string; password: string },
): Promise<SignIn> {
  const key = emailKey(email);
  await limitTries(deps, context, key);
  const found = await findSignInByEmail(context.db, key);
  const isRight = await deps.passwords.verify(context.project.id, password, found?.passwordHash ?? undefined);
  return withOwnHash(deps, context, requireActive(isRight ? found : undefined), password);
}

/** Puts a hash of our own in the place of one that came from elsewhere: now the password is known. */
async function withOwnHash(
  { passwords }: PasswordDeps,
  { project, db }: RequestContext,
  proven: SignIn,
  password: string,
): Promise<SignIn> {
  const { user, passwordHash: from } = proven;
  if (from === null || !isForeign(from)) return proven;
  const to = await passwords.hashKnown(project.id, password);
  if (await replacePassword(db, user.id, { from, to })) return { ...proven, passwordHash: to };
  // Another sign-in was faster, or the password was changed meanwhile.
  const now = (await findPasswordHash(db, user.id)) ?? undefined;
  const isRight = await passwords.verify(project.id, password, now);
  return requireActive(isRight && now !== undefined ? { ...proven, passwordHash: now } : undefined);
}

/** Checks the signed-in user's password, and gives the hash it was checked against. */
export async function requirePassword(
  deps: PasswordDeps,
  context: RequestContext,
  password: string,
): Promise<string> {
  const { id } = signedIn(context);
  await limitTries(deps, context, id);
  const stored = (await findPasswordHash(context.db, id)) ?? undefined;
  if (!(await deps.passwords.verify(context.project.id, password, stored)) || stored === undefined)
    throw wrongPassword();
  return stored;
}
