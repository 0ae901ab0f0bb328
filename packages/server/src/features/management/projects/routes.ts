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
        'Those you own or work on, the newest first, and those of yours that wait to be deleted. A personal access token sees the projects it is for.',
      query: [
        {
          name: 'limit',
          schema: Type.Integer({ description: 'The most that a page has: 50, at most 100.' }),
        },
        { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the page before.' }) },
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
        'You own it. Its API key is shown once. With `temporary` it is deleted after that time (`14d`, `12h`; 30 days at most), unless somebody opens `claimUrl` and keeps it.',
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
      description: 'What it is called, where it is, and what was set up for it.',
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
      description: 'Its address stays. Needs a sign-in of the last 15 minutes.',
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
        'Every call to it is refused at once. For seven days it can be restored; then its data is removed for good. Needs a sign-in of the last 15 minutes.',
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
      description: 'Within seven days of its deletion, with everything that was in it.',
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
        'The old one is refused at once, on every node. The new one is shown once. Needs a sign-in of the last 15 minutes.',
      params: refParams,
      answers: {
        status: 200,
        data: Type.Object({
          ref,
          apiKey: Type.String({ description: 'It is shown here and never again.', examples: ['plk_…'] }),
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
      description: 'Takes what the claim link carries. The project becomes yours, and stays.',
      body: Type.Object(
        { token: Type.String({ maxLength: 100, description: 'What the claim link carries.' }) },
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
