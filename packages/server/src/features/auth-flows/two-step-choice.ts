import { signedIn } from '../app-users/index.ts';
import { configOf, type RequestContext } from '../projects/index.ts';
import { flowOff } from './errors.ts';
import { findFactors, setSkipsCodes } from './factor-store.ts';

/** What the signed-in user is asked for at login besides the password. */
export async function describeFactors({ db, project, principal }: RequestContext) {
  const factors = await findFactors(db, principal.user!.id);
  const skips = factors?.skipsCodes === true && project.settings.allow2faOptOut === true;
  const totp = factors?.isTotpConfirmed ?? false;
  return {
    email: configOf(project).ENABLE_2FA && !skips && !totp,
    totp,
    recovery_codes: factors?.recoveryCodes ?? 0,
  };
}

/** The user's own wish for or against mailed codes, where the project leaves it to users. */
export async function chooseCodes(context: RequestContext, isWanted: boolean): Promise<void> {
  if (context.project.settings.allow2faOptOut !== true) {
    throw flowOff('The users’ own choice of two-step sign-in', 'plinth project set-2fa-opt-out');
  }
  await setSkipsCodes(context.db, signedIn(context).id, !isWanted);
}
