import { isOperatorName } from '@plinth/protocol';
import type { Answer, FilledForm, RequestContext } from '../../../calls/index.ts';
import { applyPatch, type Fields } from '../../data/index.ts';
import type { NewFile } from '../../files/index.ts';
import { limitTries, startSession } from '../sessions/index.ts';
import { createUser, emailKey, readEmail } from '../user-records/index.ts';
import type { AppUserDeps } from './deps.ts';
import { operatorAtSignUp } from './errors.ts';
import { settleFiles } from './held-files.ts';
import { checkOwnData } from './own-data.ts';
import { checkSelfRole } from './roles.ts';

export interface SignUpWish {
  readonly email: string;
  readonly password: string;
  readonly data?: Fields;
  readonly role?: string;
}

export interface CheckedSignUp {
  readonly email: string;
  readonly role: string | undefined;
  readonly data: Fields;
  readonly passwordHash: string;
}

/** Checks what a sign-up sends, and hashes its password. */
export async function checkSignUp(
  deps: AppUserDeps,
  context: RequestContext,
  { body, form }: { body: SignUpWish; form?: FilledForm | undefined },
): Promise<CheckedSignUp> {
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
  return { email, role: body.role, data, passwordHash };
}

/** Creates an app user and signs it in. */
export async function signUp(
  deps: AppUserDeps,
  context: RequestContext,
  { email, role, data, passwordHash }: CheckedSignUp,
  files: readonly NewFile[] = [],
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const user = await createUser(deps, { ...context, db }, { email, role, data, passwordHash });
    await deps.links.note({ ...context, db }, 0, [data], deps.loadLinked({ ...context, db }));
    await settleFiles(deps, { ...context, db }, user, files);
    return startSession(deps, { ...context, db }, { user, passwordHash, method: 'sign-up' }, 201);
  });
}
