import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import { type ManagementRoutes, projectIn, readCursorPage } from '../../../calls/management/index.ts';
import { regenerateKey } from '../../control/index.ts';
import { nothing, strict } from '../accounts/index.ts';
import {
  claimProject,
  createOwnProject,
  deleteOwnProject,
  listOwnProjects,
  type ProjectLifeDeps,
  readProject,
  renameOwnProject,
  restoreOwnProject,
} from './project-life.ts';
import { readDuration } from './read-duration.ts';
import { madeProject, projectAnswer, projectName, ref, refParams } from './schemas.ts';

const tag = 'Projects';
const one = { status: 200, data: projectAnswer } as const;

export function addProjectRoutes(routes: ManagementRoutes, deps: ProjectLifeDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects',
      tag,
      operationId: 'listProjects',
      summary: 'List your projects',
      description:
        'The projects you own or are a member of, the newest first, including those of yours that are pending deletion. A personal access token only sees the projects it is limited to.',
      query: [
        {
          name: 'limit',
          schema: Type.Integer({
            description: 'The maximum number of entries per page: 50 by default, at most 100.',
          }),
        },
        { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the previous page.' }) },
      ],
      answers: { status: 200, data: Type.Array(projectAnswer), list: true },
    },
    async (context, { queryString }) => {
      const asked = readCursorPage(queryString);
      const { data, nextCursor } = await listOwnProjects(deps, context, asked);
      const { limit } = asked;
      const hasMore = nextCursor !== null;
      return {
        ...ok(data),
        page: { total: undefined, totalIsFloor: false, limit, offset: 0, hasMore, nextCursor },
      };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects',
      tag,
      operationId: 'createProject',
      summary: 'Create a project',
      description:
        'You become its owner. Its API key is only shown once. With `temporary`, it is deleted after that time (`14d`, `12h`; at most 30 days), unless someone opens `claimUrl` and keeps it.',
      body: Type.Object(
        {
          name: projectName,
          temporary: Type.Optional(
            Type.String({ maxLength: 10, description: 'For how long: `14d`, `12h`.', examples: ['14d'] }),
          ),
          settingsOf: Type.Optional(
            Type.String({
              pattern: '^[a-z0-9]{12}$',
              description:
                'The ref of another project of yours: the new one gets its settings, configs and origins. Secrets are not copied.',
              examples: ['abcdefghijkl'],
            }),
          ),
        },
        strict,
      ),
      answers: { status: 201, data: madeProject },
      failures: [404],
    },
    async (context, { body }) => {
      const { name, temporary, settingsOf } = body;
      const temporaryS = temporary === undefined ? undefined : readDuration(temporary);
      const { id, project } = await createOwnProject(deps, context, { name, temporaryS, settingsOf });
      const details = { name, temporary: temporary ?? null, settingsOf: settingsOf ?? null };
      return { ...created(project), audit: { projectId: id, target: project.ref, details } };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref',
      tag,
      operationId: 'getProject',
      summary: 'Read a project',
      description: 'Its name, its address, and its settings and services.',
      params: refParams,
      answers: one,
      failures: [404],
    },
    async (context) => ok(await readProject(deps, context)),
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/management/projects/:ref',
      tag,
      operationId: 'renameProject',
      summary: 'Rename a project',
      description: 'Its address does not change. Requires a sign-in within the last 15 minutes.',
      params: refParams,
      body: Type.Object({ name: projectName }, strict),
      answers: one,
      failures: [404],
    },
    async (context, { body }) => ({
      ...ok(await renameOwnProject(deps, context, body.name)),
      audit: { details: { name: body.name } },
    }),
  );
  addEndRoutes(routes, deps);
}

function addEndRoutes(routes: ManagementRoutes, deps: ProjectLifeDeps): void {
  routes.add(
    {
      method: 'DELETE',
      url: '/management/projects/:ref',
      tag,
      operationId: 'deleteProject',
      summary: 'Delete a project',
      description:
        'All requests to it are rejected immediately. It can be restored for seven days; then its data is permanently deleted. Requires a sign-in within the last 15 minutes.',
      params: refParams,
      answers: { status: 200, data: nothing },
      failures: [404],
    },
    async (context) => {
      await deleteOwnProject(context);
      return ok(null);
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/restore',
      tag,
      operationId: 'restoreProject',
      summary: 'Restore a deleted project',
      description: 'Within seven days of its deletion, including everything that was in it.',
      params: refParams,
      answers: one,
      failures: [404],
    },
    async (context) => ok(await restoreOwnProject(deps, context)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/api-key',
      tag,
      operationId: 'regenerateApiKey',
      summary: 'Replace the API key',
      description:
        'The old key is rejected immediately, on every node. The new key is only shown once. Requires a sign-in within the last 15 minutes.',
      params: refParams,
      answers: {
        status: 200,
        data: Type.Object({
          ref,
          apiKey: Type.String({ description: 'Only shown once.', examples: ['plk_…'] }),
        }),
      },
      failures: [404],
    },
    async (context) => {
      const { project, apiKey } = await regenerateKey(context.control, projectIn(context).ref);
      return ok({ ref: project.ref, apiKey });
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/claims',
      tag,
      operationId: 'claimProject',
      summary: 'Keep a temporary project',
      description: 'Takes the token of the claim link. The project becomes yours and is kept.',
      body: Type.Object(
        { token: Type.String({ maxLength: 100, description: 'The token of the claim link.' }) },
        strict,
      ),
      answers: one,
    },
    async (context, { body }) => {
      const { id, project } = await claimProject(deps, context, body.token);
      return { ...ok(project), audit: { projectId: id, target: project.ref } };
    },
  );
}
