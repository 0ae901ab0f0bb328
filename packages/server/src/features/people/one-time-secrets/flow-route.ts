import { routeGroup } from '../../../calls/index.ts';
import { sentSchema } from './schemas.ts';

/** A call of a flow; unless it says otherwise, the answer is that something was sent. */
export const flowRoute = routeGroup({
  method: 'POST',
  url: '/auth-collections/',
  scope: 'users',
  tag: 'Sign-in flows',
  isSecret: true,
  answers: { status: 200, data: sentSchema },
  failures: [400],
});
