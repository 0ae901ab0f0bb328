import { isOperatorName } from '@plinth/protocol';
import type { Answer, CallGuards, FilledForm, RequestContext } from '../../../calls/index.ts';
import { applyPatch, type Fields } from '../../data/index.ts';
import type { NewFile } from '../../files/index.ts';
import { type Admission, admit, limitTries, startSession } from '../sessions/index.ts';
import { createUser, emailKey, guardUser, type NewUser, newUser, readEmail } from '../user-records/index.ts';
import type { AppUserDeps } from './deps.ts';
import { operatorAtSignUp } from './errors.ts';
import { settleFiles } from './held-files.ts';
import { checkOwnData } from './own-data.ts';
import { checkSelfRole } from './roles.ts';

/** How the session of somebody who signs up has begun. */
const method = 'sign-up';

export interface SignUpWish {
  readonly email: string;
  readonly password: string;
  readonly data?: Fields;
  readonly role?: string;
}

/** Checks what a sign-up sends, and hashes its password. */
export async function checkSignUp(
  deps: AppUserDeps,
  context: RequestContext,
  { body, form }: { body: SignUpWish; form?: FilledForm | undefined },
): Promise<NewUser> {
  // A form was counted before it was read.
  const account = context.principal.isTrusted ? emailKey(body.email) : undefined;
  if (!form || account !== undefined) await limitTries(deps, context, account);
  const email = readEmail(body.email);
  if (body.role !== undefined) checkSelfRole(context, body.role);
  const operator = Object.keys(body.data ?? {}).find(isOperatorName);
  if (operator !== undefined) throw operatorAtSignUp(operator);
  const data = applyPatch({}, body.data ?? {});
  checkOwnData(data);
  const passwordHash = await deps.passwords.hash(context.project.id, body.password);
  return newUser({ email, role: body.role, data }, passwordHash);
}

/** What the code of the project says to a sign-up, and to the session that begins with it. */
interface GuardedSignUp {
  readonly wanted: NewUser;
  readonly admission: Admission;
}

export async function guardSignUp(
  context: RequestContext,
  checked: NewUser,
  guards: CallGuards,
): Promise<GuardedSignUp> {
  const wanted = await guardUser(context, checked, { method, guards });
  return { wanted, admission: await admit({ ...wanted, method }, guards) };
}

/** Creates an app user and signs it in. */
export async function signUp(
  deps: AppUserDeps,
  context: RequestContext,
  { wanted, admission }: GuardedSignUp,
  files: readonly NewFile[] = [],
): Promise<Answer> {
  const { user } = wanted;
  return context.db.transaction(async (db) => {
    await createUser(deps, { ...context, db }, wanted);
    await deps.links.note({ ...context, db }, 0, [user.data], deps.loadLinked({ ...context, db }));
    await settleFiles(deps, { ...context, db }, user, files);
    return startSession(deps, { ...context, db }, { ...wanted, method }, { admission, status: 201 });
  });
}
