import { AskAgain, type CallGuards, type RequestContext } from '../../../calls/index.ts';
import { type SignIn, userRecord } from '../user-records/index.ts';
import type { SessionDeps } from './deps.ts';
import { invalidLogin } from './errors.ts';

/** Whom the code of the project lets begin a session; undefined: it is not asked. */
export type Admission = { readonly userId: string | undefined } | undefined;

/** Asks the code of the project about a user who has shown enough to begin a session. */
export async function admit(proven: SignIn, guards: CallGuards): Promise<Admission> {
  const hooks = guards.before('pre_login');
  if (!hooks) return undefined;
  const { user, method } = proven;
  for (const ask of hooks) await ask({ user: userRecord(user), method });
  return { userId: user.id };
}

/**
 * The same for somebody who may still have to take a second step. Until then nobody is admitted: what the code says would
 * tell somebody who has found out a password that it is right.
 */
export async function admitSignIn(
  { flows }: Pick<SessionDeps, 'flows'>,
  context: RequestContext,
  proven: SignIn,
  guards: CallGuards,
): Promise<Admission> {
  if (!guards.before('pre_login')) return undefined;
  return (await flows.needsSecondStep(context, proven)) ? { userId: undefined } : admit(proven, guards);
}

/** Fails if the code of the project has said nothing of this user. */
export function requireAdmitted(admission: Admission, { user }: SignIn): void {
  if (admission && admission.userId !== user.id) throw new AskAgain(invalidLogin());
}
