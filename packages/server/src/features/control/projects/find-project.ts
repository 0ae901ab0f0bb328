import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { projectNotFound } from './errors.ts';
import { findByRef, listProjects } from './store.ts';

const pageSize = 1000;

export async function getProject(control: ControlDb, ref: string): Promise<ProjectRecord> {
  return requireFound(ref, await findByRef(control, ref));
}

/** Every project, in the order of their refs. */
export async function* eachProject(control: ControlDb): AsyncGenerator<ProjectRecord> {
  for (let afterRef: string | undefined = ''; afterRef !== undefined; ) {
    const page = await listProjects(control, { limit: pageSize, afterRef });
    yield* page;
    afterRef = page.length < pageSize ? undefined : page.at(-1)?.ref;
  }
}

/** What a store returned for a ref; the caller is told if that is nothing. */
export function requireFound<Found>(ref: string, found: Found | undefined): Found {
  if (found === undefined) throw projectNotFound(ref);
  return found;
}
