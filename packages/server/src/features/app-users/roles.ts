import { configOf, type RequestContext } from '../projects/index.ts';
import { roleNotAllowed } from './errors.ts';

/** A role that a user gives itself must be one the project lets users choose; with no list any role is. */
export function checkSelfRole({ project }: RequestContext, role: string): void {
  const allowed = configOf(project).ALLOWED_SELF_ROLES;
  if (allowed !== null && !allowed.split(',').includes(role)) throw roleNotAllowed(role);
}
