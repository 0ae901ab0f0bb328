import { Type } from 'typebox';
import { ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import { problemPage } from '../account-pages/index.ts';
import { beginSignIn } from './begin-sign-in.ts';
import type { OpenIdDeps } from './deps.ts';
import { checkAnswer, endSignIn } from './end-sign-in.ts';

const text = (name: string, description: string, example: string) => ({
  name,
  schema: Type.String({ description, examples: [example] }),
});

const methods = Type.Object({
  password: Type.Boolean({ description: 'With email address and password.', examples: [true] }),
  passkey: Type.Boolean({ description: 'With a passkey.', examples: [true] }),
  openid: Type.Boolean({ description: 'At the OpenID Connect issuer of the deployment.', examples: [false] }),
  signup: Type.Union([Type.Literal('open'), Type.Literal('invited'), Type.Literal('closed')], {
    description: 'Who can create an account: anyone, people who were invited, or nobody.',
  }),
});

export function addOpenIdRoutes(routes: ManagementRoutes, deps: OpenIdDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/sign-in-methods',
      tag: 'Accounts',
      operationId: 'listSignInMethods',
      summary: 'See how people sign in here',
      description:
        'The sign-in methods that a sign-in page of this deployment offers. The same for everyone.',
      answers: { status: 200, data: methods },
    },
    async () =>
      ok({
        password: true,
        passkey: true,
        openid: deps.issuer !== undefined,
        signup: deps.accounts.signUp,
      }),
  );
  routes.addNavigation(
    {
      url: '/management/session/openid',
      tag: 'Accounts',
      operationId: 'beginAccountOpenIdSignIn',
      summary: 'Sign in with the OpenID Connect issuer',
      description:
        'For browsers: the dashboard links here, and this redirects to the issuer that the deployment has configured (`ACCOUNT_OIDC_ISSUER`).',
      query: [text('to', 'The dashboard path to return to afterwards.', '/projects')],
      showProblem: problemPage,
      prepare: (context, visit) => beginSignIn(deps, context, visit),
    },
    async (_context, prepared) => prepared,
  );
  routes.addNavigation(
    {
      url: '/management/session/openid/callback',
      tag: 'Accounts',
      operationId: 'signInAccountWithOpenId',
      summary: 'Return from the OpenID Connect issuer',
      description:
        'The URL that the issuer redirects the browser back to: register it there. Completes the sign-in, in the browser that started it, and redirects to the dashboard.',
      query: [
        text('code', 'The authorization code from the issuer.', '4ZqcP1…'),
        text('state', 'The state that identifies the sign-in.', 'hYw3…'),
        text('error', 'The error from the issuer, if any.', 'access_denied'),
      ],
      isChange: true,
      showProblem: problemPage,
      prepare: (context, visit) => checkAnswer(deps, context, visit),
    },
    (context, prepared) => endSignIn(deps, context, prepared),
  );
}
