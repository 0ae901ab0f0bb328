import { type Static, Type } from 'typebox';
import { type Answer, ok } from '../../platform/http/answer.ts';
import {
  type Login,
  repeatSignIn,
  secondStepSchema,
  signedInSchema,
  signIn,
  startSession,
  userRecord,
  userReference,
} from '../app-users/index.ts';
import type { ProjectRoutes, RequestContext } from '../projects/index.ts';
import { post } from './flow-route.ts';
import { prepareReset, requestPasswordReset, resetPassword } from './password-reset.ts';
import { checkPhone, checkPhoneLogin, sendPhoneCode, verifyPhone } from './phone.ts';
import {
  challengeBody,
  emailBody,
  exchangeBody,
  phoneCodeBody,
  resetBody,
  secondStepBody,
  sendCodeBody,
  tokenBody,
  verifyPhoneBody,
} from './schemas.ts';
import { completeSecondStep, resendCode } from './second-step.ts';
import type { AuthFlowServices } from './services.ts';
import { takeSignInCode } from './sign-in-code.ts';
import { addTotpRoutes } from './totp-routes.ts';
import { sendVerification, verifyEmail } from './verification.ts';

export function addAuthFlowRoutes(routes: ProjectRoutes, services: AuthFlowServices): void {
  addVerification(routes, services);
  addReset(routes, services);
  addSecondStep(routes, services);
  addPhone(routes, services);
  addTotpRoutes(routes, services);
}

function addVerification(routes: ProjectRoutes, services: AuthFlowServices): void {
  routes.add(
    post('verify-email/send', {
      operationId: 'sendVerification',
      summary: 'Mail the signed-in user a link that verifies its address',
      access: 'user',
    }),
    async (context) => {
      await sendVerification(services, context);
      return ok({ sent: true });
    },
  );
  routes.add(
    post('verify-email', {
      operationId: 'verifyEmail',
      summary: 'Verify an e-mail address with the token of the mailed link',
      access: 'anyone',
      body: tokenBody,
      answers: { status: 200, data: Type.Object({ email_verified: Type.Literal(true) }) },
    }),
    async (context, { body }) => {
      await verifyEmail(services, context, (body as Static<typeof tokenBody>).token);
      return ok({ email_verified: true });
    },
  );
}

function addReset(routes: ProjectRoutes, services: AuthFlowServices): void {
  routes.add(
    post('forgot-password', {
      operationId: 'forgotPassword',
      summary: 'Mail a link to set a new password; the answer is the same for any address',
      access: 'anyone',
      body: emailBody,
    }),
    async (context, { body }) => {
      await requestPasswordReset(services, context, (body as Static<typeof emailBody>).email);
      return ok({ sent: true });
    },
  );
  routes.add(
    post('reset-password', {
      operationId: 'resetPassword',
      summary: 'Set a new password with the token of the mailed link; every sign-in ends',
      access: 'anyone',
      body: resetBody,
      answers: { status: 200, data: Type.Object({ reset: Type.Literal(true) }) },
      usesUp: true,
      prepare: (context, { body }) => {
        const { token, new_password: newPassword } = body as Static<typeof resetBody>;
        return prepareReset(services, context, { token, newPassword });
      },
    }),
    async (context, { prepared }) => {
      await resetPassword(services, context, prepared as { token: string; passwordHash: string });
      return ok({ reset: true });
    },
  );
}

function addSecondStep(routes: ProjectRoutes, services: AuthFlowServices): void {
  const signsIn = {
    access: 'anyone',
    answers: { status: 200, data: signedInSchema },
    replay: (context: RequestContext, kept: string): Promise<Answer> =>
      repeatSignIn(services.users, context, kept, 200),
  } as const;
  routes.add(
    post('2fa/verify', {
      operationId: 'completeSecondStep',
      summary: 'Complete a login with its second step',
      body: secondStepBody,
      ...signsIn,
      usesUp: true,
      prepare: (context, { body }) =>
        completeSecondStep(services, context, body as Static<typeof secondStepBody>),
    }),
    (context, { prepared }) => startSession(services.users, context, prepared as Login),
  );
  routes.add(
    post('2fa/resend', {
      operationId: 'resendCode',
      summary: 'Mail another code for a login that waits for its second step',
      access: 'anyone',
      body: challengeBody,
    }),
    async (context, { body }) => {
      await resendCode(services, context, (body as Static<typeof challengeBody>).challenge);
      return ok({ sent: true });
    },
  );
  routes.add(
    post('exchange', {
      operationId: 'exchangeCode',
      summary: 'Trade the code of a hosted sign-in for a token',
      body: exchangeBody,
      ...signsIn,
      usesUp: true,
      prepare: (context, { body }) => takeSignInCode(services, context, body as Static<typeof exchangeBody>),
    }),
    (context, { prepared }) => startSession(services.users, context, prepared as Login),
  );
}

function addPhone(routes: ProjectRoutes, services: AuthFlowServices): void {
  routes.add(
    post('phone/send-code', {
      operationId: 'sendPhoneCode',
      summary: 'Send a code: to sign in, or, with a token, to set the user’s phone',
      access: 'anyone',
      body: sendCodeBody,
    }),
    async (context, { body }) => {
      await sendPhoneCode(services, context, body as Static<typeof sendCodeBody>);
      return ok({ sent: true });
    },
  );
  routes.add(
    post('phone/login', {
      operationId: 'logInByPhone',
      summary: 'Log in with a phone number and the code that was sent',
      access: 'anyone',
      body: phoneCodeBody,
      answers: { status: 200, data: Type.Union([signedInSchema, secondStepSchema]) },
      prepare: (context, { body }) =>
        checkPhoneLogin(services, context, body as Static<typeof phoneCodeBody>),
      replay: (context, kept) => repeatSignIn(services.users, context, kept, 200),
    }),
    (context, { prepared }) => signIn(services.users, context, prepared as Login),
  );
  routes.add(
    post('phone/verify', {
      operationId: 'verifyPhone',
      summary: 'Set the signed-in user’s phone with the code that was sent to it',
      access: 'user',
      body: verifyPhoneBody,
      answers: { status: 200, data: userReference },
      usesUp: true,
      prepare: (context, { body }) => checkPhone(services, context, body as Static<typeof verifyPhoneBody>),
    }),
    async (context, { prepared }) => ok(userRecord(await verifyPhone(context, prepared as string))),
  );
}
