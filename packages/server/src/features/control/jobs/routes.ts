import { Type } from 'typebox';
import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { type JobListDeps, jobKinds, jobStatuses, listJobs } from './list-jobs.ts';

const jobSchema = Type.Object({
  id: Type.String({ description: 'The id of the job, as long as it is listed.', examples: ['9f1c0d…'] }),
  kind: Type.Enum(jobKinds, {
    description:
      '`mail`, `text`: a message to send. `sign_in`: a password reset or a phone login to process. `collection`: indexes to build, or a move to its own table. `removal`: deleted data to clean up.',
    examples: ['collection'],
  }),
  status: Type.Enum(jobStatuses, {
    description: '`failed`: all attempts have failed, and it is no longer retried.',
    examples: ['waiting'],
  }),
  collection: Type.Union([Type.String(), Type.Null()], {
    description: 'The collection it is about, if any.',
    examples: ['books'],
  }),
  attempts: Type.Integer({ description: 'The number of attempts that were started.', examples: [1] }),
  createdAt: Type.String({ format: 'date-time' }),
  dueAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When a waiting job is due, or is retried after a failure.',
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
      summary: 'List unfinished background jobs',
      description:
        'The failed, running and waiting jobs of this project. Finished jobs are not listed. At most 1,000 jobs are considered.',
      query: [
        { name: 'status', schema: Type.Enum(jobStatuses, { description: 'Only jobs with this status.' }) },
        {
          name: 'limit',
          schema: Type.Integer({
            default: 50,
            minimum: 1,
            maximum: 100,
            description: 'The maximum number of jobs per page.',
          }),
        },
        { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the previous page.' }) },
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
