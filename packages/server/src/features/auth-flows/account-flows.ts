import type { AccountFlows } from '../app-users/index.ts';
import { canMail, deviceName } from '../messages/index.ts';
import { configOf } from '../projects/index.ts';
import { removeMailedCodes } from './code-store.ts';
import { removeTotp } from './factor-store.ts';
import { mailUser } from './mail-user.ts';
import { noteSignIn } from './new-device.ts';
import { beginSecondStep, challengeAnswer, isEnough } from './second-step.ts';
import type { AuthFlowServices } from './services.ts';
import { mailVerification } from './verification.ts';

/** What happens around an account: the mails it causes, and its second step. */
export function accountFlows(services: AuthFlowServices): AccountFlows {
  const { messages } = services;
  return {
    async signedUp(context, user) {
      const { ENABLE_EMAIL_VERIFICATION, SEND_WELCOME_EMAIL } = configOf(context.project);
      const verifies = ENABLE_EMAIL_VERIFICATION && !user.email_verified;
      if ((!verifies && !SEND_WELCOME_EMAIL) || !(await canMail(messages, context.project))) return;
      if (verifies) await mailVerification(services, context, user);
      if (!SEND_WELCOME_EMAIL) return;
      await mailUser(services, context, user, {
        template: 'welcome',
        languages: context.from.languages,
        variables: {},
      });
    },
    signedIn: (context, login) => noteSignIn(services, context, login),
    async emailChanged(context, user) {
      if (user.email_verified || !configOf(context.project).ENABLE_EMAIL_VERIFICATION) return;
      if (await canMail(messages, context.project)) await mailVerification(services, context, user);
    },
    async passwordChanged(context, user) {
      // Whoever had codes sent with the old password is out, and the owner is not made to wait for it.
      await removeMailedCodes(context.db, user.id);
      if (!(await canMail(messages, context.project))) return;
      const device = deviceName(context.from.userAgent);
      await mailUser(services, context, user, {
        template: 'password-changed',
        languages: context.from.languages,
        variables: { time: new Date().toISOString(), ...(device !== undefined && { device }) },
      });
    },
    isEnough,
    removeAuthenticator: ({ db }, userId) => removeTotp(db, userId),
    async secondStep(context, login) {
      const challenge = await beginSecondStep(services, context, login);
      return challenge && challengeAnswer(challenge);
    },
  };
}
