import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { projectNotFound } from './errors.ts';
import { findByIds, findByRef, findDeleted, listProjects, lockByRef } from './store.ts';

const pageSize = 1000;

export async function getProject(control: ControlDb, ref: string): Promise<ProjectRecord> {
  return requireFound(ref, await findByRef(control, ref));
}

/** The project as it is now; nobody else changes it until the transaction ends. */
export async function lockProject(control: ControlDb, ref: string): Promise<ProjectRecord> {
  return requireFound(ref, await lockByRef(control, ref));
}

/** Every project, in the order of their refs. */
export async function* eachProject(control: ControlDb): AsyncGenerator<ProjectRecord> {
  for (let afterRef: string | undefined = ''; afterRef !== undefined; ) {
    const page = await listProjects(control, { limit: pageSize, afterRef });
    yield* page;
    afterRef = page.length < pageSize ? undefined : page.at(-1)?.ref;
  }
}

export async function findProjectByRef(control: ControlDb, ref: string): Promise<ProjectRecord | undefined> {
  return findByRef(control, ref);
}

/** The projects of these ids that there are. */
export async function findProjects(control: ControlDb, ids: readonly string[]): Promise<ProjectRecord[]> {
  return findByIds(control, ids);
}

/** A project that waits to be deleted. */
export async function findDeletedProject(
  control: ControlDb,
  ref: string,
): Promise<{ id: string } | undefined> {
  return findDeleted(control, ref);
}

/** What a store returned for a ref; the caller is told if that is nothing. */
export function requireFound<Found>(ref: string, found: Found | undefined): Found {
  if (found === undefined) throw projectNotFound(ref);
  return found;
}
