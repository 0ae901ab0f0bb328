import type { RequestContext } from '../../../calls/index.ts';
import { configOf } from '../../control/index.ts';
import { flowOff } from '../one-time-secrets/index.ts';
import { signedIn } from '../sessions/index.ts';
import { findFactors, setSkipsCodes } from '../user-records/index.ts';
import { countRecoveryCodes } from './store.ts';

/** What the signed-in user is asked for at sign-in besides the password. */
export async function describeFactors(context: RequestContext) {
  const { db, project } = context;
  const { id } = signedIn(context);
  const factors = await findFactors(db, id);
  const skips = factors?.skipsCodes === true && project.settings.allow2faOptOut === true;
  const totp = factors?.isTotpConfirmed ?? false;
  return {
    email: configOf(project).ENABLE_2FA && !skips && !totp,
    totp,
    recovery_codes: await countRecoveryCodes(db, id),
  };
}

/** Switches mailed codes on or off for the signed-in user, where the project leaves that to users. */
export async function chooseCodes(context: RequestContext, isWanted: boolean): Promise<void> {
  if (context.project.settings.allow2faOptOut !== true) {
    throw flowOff('The users’ own choice of two-step sign-in', 'plinth project set-2fa-opt-out');
  }
  await setSkipsCodes(context.db, signedIn(context).id, !isWanted);
}
