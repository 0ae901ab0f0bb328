import { type RequestContext } from '../../../calls/index.ts';
import { configOf } from '../../control/index.ts';
import { roleNotAllowed } from './errors.ts';

/** Users may give themselves only the roles on the project's list; without a list, any role. */
export function checkSelfRole({ project }: RequestContext, role: string): void {
  const allowed = configOf(project).ALLOWED_SELF_ROLES;
  if (allowed !== null && !allowed.split(',').includes(role)) throw roleNotAllowed(role);
}
