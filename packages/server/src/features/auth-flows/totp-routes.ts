import { type Static, Type } from 'typebox';
import { ok } from '../../platform/http/answer.ts';
import { requireOwner } from '../app-users/index.ts';
import type { ProjectRoutes } from '../projects/index.ts';
import { post } from './flow-route.ts';
import {
  confirmSetUp,
  type OwnerProof,
  proveFactor,
  renewRecoveryCodes,
  setUpTotp,
  takeTotpAway,
} from './own-authenticator.ts';
import {
  factorsSchema,
  ownerBody,
  ownerCodeBody,
  recoverySchema,
  totpCodeBody,
  totpSchema,
} from './schemas.ts';
import type { AuthFlowServices } from './services.ts';
import { chooseCodes, describeFactors } from './two-step-choice.ts';

/** What users decide of their own second step. */
export function addTotpRoutes(routes: ProjectRoutes, services: AuthFlowServices): void {
  const factors = { status: 200, data: factorsSchema } as const;
  routes.add(
    {
      ...post('2fa', {
        access: 'user',
        operationId: 'getSecondSteps',
        summary: 'What login asks of the user',
        answers: factors,
      }),
      method: 'GET',
    },
    async (context) => ok(await describeFactors(context)),
  );
  for (const [url, isWanted] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    routes.add(
      post(`2fa/${url}`, {
        access: 'user',
        operationId: `${url}Codes`,
        summary: isWanted ? 'Have codes mailed at login' : 'Log in without mailed codes',
        answers: factors,
      }),
      async (context) => {
        await chooseCodes(context, isWanted);
        return ok(await describeFactors(context));
      },
    );
  }
  addAuthenticator(routes, services);
}

function addAuthenticator(routes: ProjectRoutes, services: AuthFlowServices): void {
  const recovery = { status: 200, data: recoverySchema } as const;
  routes.add(
    post('2fa/totp/setup', {
      access: 'user',
      operationId: 'setUpAuthenticator',
      summary: 'Begin to set up an authenticator app',
      body: ownerBody,
      isBodyOptional: true,
      answers: { status: 200, data: totpSchema },
      prepare: (context, { body }) =>
        requireOwner(services.users, context, (body as Static<typeof ownerBody>).password),
      replay: async (context) => ok(await setUpTotp(services, context)),
    }),
    // Never kept: a call that is repeated gets another secret.
    async (context) => ({ ...ok(await setUpTotp(services, context)), kept: 'set up' }),
  );
  routes.add(
    post('2fa/totp/confirm', {
      access: 'user',
      operationId: 'confirmAuthenticator',
      summary: 'Put the authenticator app in force with one of its codes',
      body: totpCodeBody,
      answers: recovery,
      replay: async () => ok({ recovery_codes: [] }),
    }),
    async (context, { body }) => {
      const codes = await confirmSetUp(services, context, (body as Static<typeof totpCodeBody>).code);
      // Never kept: an answer that is repeated has no codes in it.
      return { ...ok({ recovery_codes: codes }), kept: 'confirmed' };
    },
  );
  routes.add(
    post('2fa/recovery-codes', {
      access: 'user',
      operationId: 'renewRecoveryCodes',
      summary: 'New recovery codes; those before are good no more',
      body: ownerCodeBody,
      answers: recovery,
      usesUp: true,
      prepare: (context, { body }) => proveFactor(services, context, body as OwnerProof),
      replay: async () => ok({ recovery_codes: [] }),
    }),
    async (context) => {
      const codes = await renewRecoveryCodes(context);
      return { ...ok({ recovery_codes: codes }), kept: 'renewed' };
    },
  );
  routes.add(
    post('2fa/totp/remove', {
      access: 'user',
      operationId: 'removeAuthenticator',
      summary: 'Remove the authenticator app and its recovery codes',
      body: ownerCodeBody,
      answers: { status: 200, data: Type.Object({ removed: Type.Literal(true) }) },
      usesUp: true,
      prepare: (context, { body }) => proveFactor(services, context, body as OwnerProof),
    }),
    async (context) => {
      await takeTotpAway(context);
      return ok({ removed: true });
    },
  );
}
