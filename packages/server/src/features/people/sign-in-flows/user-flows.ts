import { type EventLog, type EventName, isQuotaExceeded, type RequestContext } from '../../../calls/index.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import { configOf } from '../../control/index.ts';
import { canMail, mailUser } from '../messages/index.ts';
import { noteSignIn } from '../new-device/index.ts';
import { removeMailedCodes } from '../one-time-secrets/index.ts';
import {
  beginSecondStep,
  challengeAnswer,
  isEnough,
  neededStep,
  removeAuthenticator,
} from '../second-step/index.ts';
import { type AppUser, type UserFlows, userRecord } from '../user-records/index.ts';
import { mailVerification } from '../verify-email/index.ts';
import type { UserFlowDeps } from './deps.ts';

async function unlessExhausted(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
  }
}

/** Writes down what happens to a user, for those who want to be told. */
async function record(
  events: EventLog,
  context: RequestContext,
  event: EventName,
  { user, ...beside }: { readonly user: AppUser; readonly method?: string },
): Promise<void> {
  const recorder = await events.recorderFor(context.project, { event });
  await recorder?.record(context, [{ id: user.id, record: JSON.stringify(userRecord(user)), beside }]);
}

/** What app users set off: mails, second steps, and events. */
export function userFlows(deps: UserFlowDeps, events: EventLog): UserFlows {
  const { messages } = deps;
  return {
    created: (context, user) => record(events, context, 'post_register', { user }),
    async signedUp(context, user) {
      const { ENABLE_EMAIL_VERIFICATION, SEND_WELCOME_EMAIL } = configOf(context.project);
      const verifies = ENABLE_EMAIL_VERIFICATION && !user.email_verified;
      if ((!verifies && !SEND_WELCOME_EMAIL) || !(await canMail(messages, context.project))) return;
      // Without a mail the user can still sign in, and ask for another.
      if (verifies) await unlessExhausted(() => mailVerification(deps, context, user));
      if (!SEND_WELCOME_EMAIL) return;
      await mailUser(messages, context, user, {
        template: 'welcome',
        languages: context.from.languages,
        variables: {},
      });
    },
    async signedIn(context, login) {
      const { user, method } = login;
      await noteSignIn(deps, context, login);
      await record(events, context, 'post_login', { user, method });
    },
    async emailChanged(context, user) {
      if (user.email_verified || !configOf(context.project).ENABLE_EMAIL_VERIFICATION) return;
      if (!(await canMail(messages, context.project))) return;
      await unlessExhausted(() => mailVerification(deps, context, user));
    },
    async passwordChanged(context, user) {
      // Codes that were sent for the old password stop working, and do not count against the user any more.
      await removeMailedCodes(context.db, user.id);
      if (!(await canMail(messages, context.project))) return;
      const device = deviceName(context.from.userAgent);
      await mailUser(messages, context, user, {
        template: 'password-changed',
        languages: context.from.languages,
        variables: { time: new Date().toISOString(), ...(device !== undefined && { device }) },
      });
    },
    isEnough,
    removeAuthenticator: ({ db }, userId) => removeAuthenticator(db, userId),
    needsSecondStep: async (context, login) => (await neededStep(context, login)) !== undefined,
    async secondStep(context, login) {
      const challenge = await beginSecondStep(deps, context, login);
      return challenge && challengeAnswer(challenge);
    },
  };
}
