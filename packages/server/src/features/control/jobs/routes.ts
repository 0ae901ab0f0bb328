import { Type } from 'typebox';
import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { type JobListDeps, jobKinds, jobStatuses, listJobs } from './list-jobs.ts';

const jobSchema = Type.Object({
  id: Type.String({ description: 'Names it as long as it is listed.', examples: ['9f1c0d…'] }),
  kind: Type.Enum(jobKinds, {
    description:
      '`mail`, `text`: a message to send. `sign_in`: the answer to a forgotten password or a phone login. `collection`: indexes to build, a table to move to. `removal`: what was deleted is cleared away.',
    examples: ['collection'],
  }),
  status: Type.Enum(jobStatuses, {
    description: '`failed`: it was tried as often as makes sense, and is not tried any more.',
    examples: ['waiting'],
  }),
  collection: Type.Union([Type.String(), Type.Null()], {
    description: 'The collection that it is about, if it is about one.',
    examples: ['books'],
  }),
  attempts: Type.Integer({ description: 'How often it was begun.', examples: [1] }),
  createdAt: Type.String({ format: 'date-time' }),
  dueAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When a waiting one is due, or tried again after a failure.',
  }),
});

export function addJobRoutes(routes: ProjectRoutes, deps: JobListDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/jobs',
      access: 'server',
      scope: 'usage',
      tag: 'Usage',
      operationId: 'listJobs',
      summary: 'List the background work that is not done',
      description:
        'What has failed, is under way or waits, of this project alone. What is done is gone from the list. At most 1,000 jobs are looked at.',
      query: [
        { name: 'status', schema: Type.Enum(jobStatuses, { description: 'Jobs of this status.' }) },
        {
          name: 'limit',
          schema: Type.Integer({ default: 50, minimum: 1, maximum: 100, description: 'Jobs in the answer.' }),
        },
        { name: 'cursor', schema: Type.String({ description: 'The nextCursor of the page before.' }) },
      ],
      answers: { status: 200, data: Type.Array(jobSchema), list: true },
      failures: [400],
    },
    async (context, { queryString }) => {
      const { jobs, page } = await listJobs(deps, context, queryString);
      return { ...ok(jobs), page };
    },
  );
}
