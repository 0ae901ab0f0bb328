import { Type } from 'typebox';
import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { flowRoute } from '../one-time-secrets/index.ts';
import { requireOwner } from '../passwords/index.ts';
import type { SecondStepDeps } from './deps.ts';
import {
  confirmSetUp,
  proveFactor,
  removeOwnAuthenticator,
  renewRecoveryCodes,
  setUpTotp,
} from './own-authenticator.ts';
import {
  factorsSchema,
  ownerBody,
  ownerCodeBody,
  recoverySchema,
  totpCodeBody,
  totpSchema,
} from './schemas.ts';
import { chooseCodes, describeFactors } from './two-step-choice.ts';

/** What users decide about their own mailed codes. */
export function addChoiceRoutes(routes: ProjectRoutes): void {
  const factors = { status: 200, data: factorsSchema } as const;
  routes.add(
    flowRoute('2fa', {
      method: 'GET',
      access: 'user',
      operationId: 'getSecondSteps',
      summary: 'See which second steps are required at sign-in',
      description: 'Which second steps are on, and how many recovery codes are left.',
      answers: factors,
    }),
    async (context) => ok(await describeFactors(context)),
  );
  for (const [url, isWanted] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    routes.add(
      flowRoute(`2fa/${url}`, {
        access: 'user',
        operationId: `${url}Codes`,
        summary: isWanted ? 'Require emailed codes at sign-in' : 'Sign in without emailed codes',
        description: isWanted
          ? 'For a user who had turned them off, if the project lets users choose.'
          : 'If the project lets users choose. An authenticator app is still required.',
        answers: factors,
      }),
      async (context) => {
        await chooseCodes(context, isWanted);
        return ok(await describeFactors(context));
      },
    );
  }
}

/** The authenticator app and the recovery codes of the signed-in user. */
export function addAuthenticatorRoutes(routes: ProjectRoutes, deps: SecondStepDeps): void {
  addSetUp(routes, deps);
  addRenewal(routes, deps);
}

const recovery = { status: 200, data: recoverySchema } as const;

function addSetUp(routes: ProjectRoutes, deps: SecondStepDeps): void {
  routes.add(
    flowRoute('2fa/totp/setup', {
      access: 'user',
      operationId: 'setUpAuthenticator',
      summary: 'Begin to set up an authenticator app',
      description:
        'Show `uri` as a QR code. Nothing changes until it is confirmed with a code. Requires the current password of users who have one.',
      body: ownerBody,
      isBodyOptional: true,
      answers: { status: 200, data: totpSchema },
      prepare: (context, { body }) => requireOwner(deps.users, context, body.password),
      replay: async (context) => ok(await setUpTotp(deps, context)),
    }),
    // Never kept: a repeated call gets another secret.
    async (context) => ({ ...ok(await setUpTotp(deps, context)), kept: 'set up' }),
  );
  routes.add(
    flowRoute('2fa/totp/confirm', {
      access: 'user',
      operationId: 'confirmAuthenticator',
      summary: 'Confirm the authenticator app with one of its codes',
      description:
        'From now on, sign-in requires its codes. The recovery codes in the response are shown only once.',
      body: totpCodeBody,
      answers: recovery,
      replay: async () => ok({ recovery_codes: [] }),
    }),
    async (context, { body }) => {
      const codes = await confirmSetUp(deps, context, body.code);
      // Never kept: a repeated answer has no codes in it.
      return { ...ok({ recovery_codes: codes }), kept: 'confirmed' };
    },
  );
}

function addRenewal(routes: ProjectRoutes, deps: SecondStepDeps): void {
  routes.add(
    flowRoute('2fa/recovery-codes', {
      access: 'user',
      operationId: 'renewRecoveryCodes',
      summary: 'Create new recovery codes',
      description:
        'Earlier codes are no longer accepted. Requires a code of the authenticator app, and the password of users who have one.',
      body: ownerCodeBody,
      answers: recovery,
      usesUp: true,
      prepare: (context, { body }) => proveFactor(deps, context, body),
      replay: async () => ok({ recovery_codes: [] }),
    }),
    async (context) => {
      const codes = await renewRecoveryCodes(context);
      return { ...ok({ recovery_codes: codes }), kept: 'renewed' };
    },
  );
  routes.add(
    flowRoute('2fa/totp/remove', {
      access: 'user',
      operationId: 'removeAuthenticator',
      summary: 'Remove the authenticator app and its recovery codes',
      description:
        'Sign-in no longer requires it. Requires one of its codes or a recovery code, and the password of users who have one.',
      body: ownerCodeBody,
      answers: { status: 200, data: Type.Object({ removed: Type.Literal(true) }) },
      usesUp: true,
      prepare: (context, { body }) => proveFactor(deps, context, body),
    }),
    async (context) => {
      await removeOwnAuthenticator(context);
      return ok({ removed: true });
    },
  );
}
