import type { ProjectRoute } from '../projects/index.ts';
import { sentSchema } from './schemas.ts';

type Described = Pick<ProjectRoute, 'operationId' | 'summary' | 'access'> & Partial<ProjectRoute>;

/** A call of a flow; unless it says otherwise, the answer is that something was sent. */
export const post = (url: string, described: Described): ProjectRoute => ({
  method: 'POST',
  url: `/auth-collections/${url}`,
  tag: 'Sign-in flows',
  answers: { status: 200, data: sentSchema },
  failures: [400],
  ...described,
});
