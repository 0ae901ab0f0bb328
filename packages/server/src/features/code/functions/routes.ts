import { Type } from 'typebox';
import {
  created,
  invalidQuery,
  ok,
  type ProjectRoutes,
  refuseOthers,
  routeGroup,
} from '../../../calls/index.ts';
import { type CallDeps, callFunction } from './call-function.ts';
import { activate, type DeployDeps, deploy, readDeployment, readDeployments } from './deploy.ts';
import { describeFunctionCall } from './describe-call.ts';
import type { Deployment } from './function-record.ts';
import { readRun, readRuns } from './read-runs.ts';
import {
  deployedFilesSchema,
  deployedSchema,
  deploymentBody,
  deploymentSchema,
  runParams,
  runSchema,
  versionParams,
} from './schemas.ts';

const tag = 'Functions';
const onDeployments = routeGroup({ url: '/deployments', access: 'server', scope: 'deployments', tag });
const onRuns = routeGroup({ url: '/function-runs', access: 'server', scope: 'deployments', tag });

/** The files of a deployment, as JSON. @limit body_too_large bytes */
const largestDeployment = 8 * 1_048_576;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function addFunctionRoutes(routes: ProjectRoutes, deps: DeployDeps & CallDeps): void {
  addDeploymentRoutes(routes, deps);
  addRunRoutes(routes);
  for (const url of ['/functions/:name', '/functions/:name/*'])
    routes.addRaw(
      { methods, url, access: 'anyone', scope: 'functions', describe: describeFunctionCall(url) },
      (context, request, reply) => callFunction(deps, context, request, reply),
    );
}

function addDeploymentRoutes(routes: ProjectRoutes, deps: DeployDeps): void {
  routes.add(
    onDeployments('', {
      method: 'POST',
      operationId: 'deploy',
      summary: 'Deploy the project’s code',
      description:
        'Takes all of the code at once. Each module is first loaded in a sandbox; if one of them fails, nothing changes. The new version runs from the next request on. With `dryRun=true`, the response only says what would change. `plinth functions deploy` bundles a folder and sends this request.',
      query: [
        {
          name: 'dryRun',
          schema: Type.Boolean({ description: 'Only report what would change, without storing anything.' }),
        },
      ],
      body: deploymentBody,
      largestBody: largestDeployment,
      answers: { status: 201, data: deployedSchema },
      failures: [400, 413],
    }),
    async (context, { body, queryString }) => {
      refuseOthers(queryString, ['dryRun']);
      const flag = new URLSearchParams(queryString).get('dryRun') ?? 'false';
      if (flag !== 'true' && flag !== 'false') throw invalidQuery('dryRun', 'It must be true or false.');
      const given = { maps: {}, ...body };
      return created(await deploy(deps, context, given, { isDryRun: flag === 'true' }));
    },
  );
  routes.add(
    onDeployments('', {
      method: 'GET',
      operationId: 'listDeployments',
      summary: 'List the stored deployments',
      description: 'The last 20 versions of the project’s code, the newest first, with their functions.',
      answers: { status: 200, data: Type.Array(deploymentSchema) },
    }),
    async (context, { queryString }) => {
      refuseOthers(queryString, []);
      return ok((await readDeployments(context)).map(shown));
    },
  );
  routes.add(
    onDeployments('/:version/files', {
      method: 'GET',
      operationId: 'getDeploymentFiles',
      summary: 'Read the files of a deployment',
      description:
        'The deployed files, in the format in which they are deployed: to change a file, send all of them again with the new text.',
      params: versionParams,
      answers: { status: 200, data: deployedFilesSchema },
      failures: [404],
    }),
    async (context, { params }) => ok(await readDeployment(context, params.version)),
  );
  routes.add(
    onDeployments('/:version/activate', {
      method: 'POST',
      operationId: 'activateDeployment',
      summary: 'Activate a deployment: roll back or forward',
      description:
        'This version runs from the next request on, with its hooks and schedules. Nothing is rebuilt.',
      params: versionParams,
      answers: { status: 201, data: deploymentSchema },
      failures: [404],
    }),
    async (context, { params }) => created(shown(await activate(deps, context, params.version))),
  );
}

function addRunRoutes(routes: ProjectRoutes): void {
  routes.add(
    onRuns('', {
      method: 'GET',
      operationId: 'listFunctionRuns',
      summary: 'List the runs of functions',
      description:
        'Runs with their logs and errors, the newest first, for 7 days. With `after`, the runs after a given one, the oldest first: to follow new runs, request again with the id of the last one.',
      query: [
        { name: 'function', schema: Type.String({ description: 'Runs of this function only.' }) },
        {
          name: 'outcome',
          schema: Type.Literal('failed', { description: 'Only runs that did not succeed.' }),
        },
        {
          name: 'before',
          schema: Type.String({ description: 'Runs before the one with this id, for the next page.' }),
        },
        {
          name: 'after',
          schema: Type.String({ description: 'Runs after the one with this id, the oldest first.' }),
        },
        {
          name: 'limit',
          schema: Type.Integer({
            description: 'The maximum number of entries per page: 50 by default, at most 200.',
          }),
        },
      ],
      answers: { status: 200, data: Type.Array(runSchema) },
      failures: [400],
    }),
    async (context, { queryString }) => ok(await readRuns(context, queryString)),
  );
  routes.add(
    onRuns('/:id', {
      method: 'GET',
      operationId: 'getFunctionRun',
      summary: 'Read a run of a function',
      description: 'Its outcome, its logs and its error, with the line numbers of your source code.',
      params: runParams,
      answers: { status: 200, data: runSchema },
      failures: [404],
    }),
    async (context, { params }) => ok(await readRun(context, params.id)),
  );
}

const shown = ({ version, functions, bytes, note, madeBy, madeAt, isActive }: Deployment) => ({
  version,
  functions,
  bytes,
  note,
  madeBy,
  madeAt,
  isActive,
});
