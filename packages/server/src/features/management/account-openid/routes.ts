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
  password: Type.Boolean({ description: 'With e-mail address and password.', examples: [true] }),
  passkey: Type.Boolean({ description: 'With a passkey.', examples: [true] }),
  openid: Type.Boolean({ description: 'At the OpenID Connect issuer of the deployment.', examples: [false] }),
  signup: Type.Union([Type.Literal('open'), Type.Literal('invited'), Type.Literal('closed')], {
    description: 'Who may make an account: anybody, whoever was invited, or nobody.',
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
      description: 'What a sign-in page of this deployment has to offer. The same for everybody.',
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
      summary: 'Go to the OpenID Connect issuer to sign in',
      description:
        'For the window of a browser: a link of the dashboard leads here, and from here to the issuer that the deployment has named (`ACCOUNT_OIDC_ISSUER`).',
      query: [text('to', 'The path of the dashboard to go to in the end.', '/projects')],
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
      summary: 'Come back from the OpenID Connect issuer',
      description:
        'Where the issuer sends the browser back to: register it there. Signs in, in the browser that has begun, and leads to the dashboard.',
      query: [
        text('code', 'What the issuer gives for who the person is.', '4ZqcP1…'),
        text('state', 'Which sign-in it is about.', 'hYw3…'),
        text('error', 'Why the issuer refuses, if it does.', 'access_denied'),
      ],
      isChange: true,
      showProblem: problemPage,
      prepare: (context, visit) => checkAnswer(deps, context, visit),
    },
    (context, prepared) => endSignIn(deps, context, prepared),
  );
}
