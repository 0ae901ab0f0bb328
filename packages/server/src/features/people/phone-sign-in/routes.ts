import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute } from '../one-time-secrets/index.ts';
import { admitSignIn, repeatSignIn, signIn, signInAnswer } from '../sessions/index.ts';
import { userRecord, userReference } from '../user-records/index.ts';
import { checkPhone, checkPhoneSignIn, verifyPhone } from './check-phone.ts';
import type { PhoneSignInDeps } from './deps.ts';
import { phoneCodeBody, sendCodeBody, verifyPhoneBody } from './schemas.ts';
import { sendPhoneCode } from './send-phone-code.ts';

export function addPhoneSignInRoutes(routes: ProjectRoutes, deps: PhoneSignInDeps): void {
  routes.add(
    flowRoute('phone/send-code', {
      operationId: 'sendPhoneCode',
      summary: 'Send a code to a phone number',
      description:
        'For signing in or, with a token, for setting the user’s phone number. The response is the same whether or not a user has the number.',
      access: 'anyone',
      body: sendCodeBody,
    }),
    async (context, { body }) => {
      await sendPhoneCode(deps, context, body);
      return ok({ sent: true });
    },
  );
  routes.add(
    flowRoute('phone/login', {
      operationId: 'logInByPhone',
      summary: 'Sign in with a phone number and the code that was sent',
      description: 'For projects with `ENABLE_PHONE_LOGIN`. The code is valid once, for 10 minutes.',
      access: 'anyone',
      body: phoneCodeBody,
      answers: signInAnswer,
      prepare: (context, { body }) => checkPhoneSignIn(deps, context, body),
      guard: (context, { prepared }, guards) => admitSignIn(deps.users, context, prepared, guards),
      replay: (context, kept) => repeatSignIn(deps.users, context, kept, 200),
    }),
    (context, { prepared, guarded }) => signIn(deps.users, context, prepared, guarded),
  );
  routes.add(
    flowRoute('phone/verify', {
      operationId: 'verifyPhone',
      summary: 'Set the signed-in user’s phone with a code',
      description:
        'Takes the code that was sent to the number. The user can then sign in with it. Requires the current password, or a sign-in within the last 15 minutes.',
      access: 'user',
      body: verifyPhoneBody,
      answers: { status: 200, data: userReference },
      usesUp: true,
      prepare: (context, { body }) => checkPhone(deps, context, body),
    }),
    async (context, { prepared }) => ok(userRecord(await verifyPhone(context, prepared))),
  );
}
