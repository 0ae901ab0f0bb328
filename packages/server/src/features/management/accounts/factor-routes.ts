import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import {
  confirmSetUp,
  removeAuthenticator,
  renewRecoveryCodes,
  setUpAuthenticator,
} from './authenticator.ts';
import type { AccountDeps } from './deps.ts';
import { code, nothing, strict } from './schemas.ts';

const tag = 'Accounts';
const codes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each can be used once instead of the authenticator app. They are only shown once.',
    examples: [['abcd-efgh-jkmn-pqrs']],
  }),
});

export function addFactorRoutes(routes: ManagementRoutes, deps: AccountDeps): void {
  routes.add(
    {
      method: 'POST',
      url: '/management/account/authenticator',
      tag,
      operationId: 'setUpAccountAuthenticator',
      summary: 'Begin to set up an authenticator app',
      description: 'It takes effect once you have confirmed one of its codes.',
      answers: {
        status: 201,
        data: Type.Object({
          secret: Type.String({
            description: 'The secret, for typing into the app.',
            examples: ['JBSWY3DPEHPK3PXP'],
          }),
          uri: Type.String({ description: 'The URI to show as a QR code.', examples: ['otpauth://totp/…'] }),
        }),
      },
    },
    async (context) => created(await setUpAuthenticator(deps, context)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/account/authenticator/confirm',
      tag,
      operationId: 'confirmAccountAuthenticator',
      summary: 'Confirm the authenticator app',
      description: 'From now on, every sign-in requires a code. The response has the recovery codes.',
      body: Type.Object({ code }, strict),
      answers: { status: 200, data: codes },
    },
    async (context, { body }) => ok({ recovery_codes: await confirmSetUp(deps, context, body.code) }),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/account/recovery-codes',
      tag,
      operationId: 'renewAccountRecoveryCodes',
      summary: 'Get new recovery codes',
      description: 'Earlier codes stop working. Requires a sign-in within the last 15 minutes.',
      answers: { status: 200, data: codes },
    },
    async (context) => ok({ recovery_codes: await renewRecoveryCodes(context) }),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/account/authenticator',
      tag,
      operationId: 'removeAccountAuthenticator',
      summary: 'Remove the authenticator app',
      description: 'Also removes its recovery codes. Requires a sign-in within the last 15 minutes.',
      answers: { status: 200, data: nothing },
    },
    async (context) => {
      await removeAuthenticator(context);
      return ok(null);
    },
  );
}
