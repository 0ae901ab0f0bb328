import type { RequestContext } from '../projects/index.ts';
import type { Login } from './app-user.ts';
import { emailKey } from './email.ts';
import { invalidLogin, userSuspended } from './errors.ts';
import { limitTries } from './limit-tries.ts';
import { isPassword } from './passwords.ts';
import type { AppUserServices } from './services.ts';
import { findLogin } from './store.ts';

/** The user behind an e-mail and a password. An unknown e-mail and a wrong password are one answer and take the same time. */
export async function checkLogin(
  services: AppUserServices,
  context: RequestContext,
  { email, password }: { email: string; password: string },
): Promise<Login> {
  const key = emailKey(email);
  await limitTries(services, context, key);
  const login = await findLogin(context.db, key);
  if (!(await isPassword(password, login?.passwordHash ?? undefined)) || !login) throw invalidLogin();
  if (login.user.isSuspended) throw userSuspended();
  return login;
}
