import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import { accountIn, type ManagementContext, type ManagementRoutes } from '../../../calls/management/index.ts';
import { listPersonalTokens, makePersonalToken, revokePersonalToken } from './personal-tokens.ts';
import { id, newTokenAnswer, newTokenBody, nothing, tokenAnswer } from './schemas.ts';

const tag = 'Accounts';

interface TokenRouteDeps {
  /** The ids of projects that an account is a member of; fails for others. */
  readonly idsOf: (context: ManagementContext, refs: readonly string[]) => Promise<string[]>;
  readonly refsOf: (context: ManagementContext, ids: readonly string[]) => Promise<Map<string, string>>;
}

export function addTokenRoutes(routes: ManagementRoutes, { idsOf, refsOf }: TokenRouteDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/tokens',
      tag,
      operationId: 'listPersonalTokens',
      summary: 'List your personal access tokens',
      description: 'What they are for and when they were last used; not the tokens themselves.',
      answers: { status: 200, data: Type.Array(tokenAnswer) },
    },
    async (context) => {
      const tokens = await listPersonalTokens(context);
      const refs = await refsOf(
        context,
        tokens.flatMap(({ projectIds }) => projectIds ?? []),
      );
      return ok(
        tokens.map(({ projectIds, ...token }) => ({
          ...token,
          projects: projectIds?.flatMap((projectId) => refs.get(projectId) ?? []) ?? null,
        })),
      );
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/tokens',
      tag,
      operationId: 'createPersonalToken',
      summary: 'Create a personal access token',
      description:
        'For programs that manage projects: the command line, scripts, agents. It is only shown once. It can never do what is reserved to an owner (delete or transfer a project, replace its API key), and expires within a year.',
      body: newTokenBody,
      answers: {
        status: 201,
        data: newTokenAnswer,
      },
    },
    async (context, { body }) => {
      const { name, access = 'read', projects, expires_in_days: days = 90 } = body;
      const projectIds = projects ? await idsOf(context, projects) : null;
      const made = await makePersonalToken(context.control, accountIn(context).id, {
        name,
        access,
        projectIds,
        days,
      });
      const details = { name, access, projects: projects ?? null, days };
      return { ...created({ ...made, projects: projects ?? null }), audit: { target: made.id, details } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/tokens/:id',
      tag,
      operationId: 'revokePersonalToken',
      summary: 'Revoke a personal access token',
      description: 'It is rejected from its next request on.',
      params: Type.Object({ id }),
      answers: { status: 200, data: nothing },
      failures: [404],
    },
    async (context, { params }) => {
      await revokePersonalToken(context, params.id);
      return { ...ok(null), audit: { target: params.id, accountId: accountIn(context).id } };
    },
  );
}
