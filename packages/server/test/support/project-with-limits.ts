import { defaultTiers, limitsOf, type Project } from '../../src/calls/index.ts';
import { getProject } from '../../src/features/control/projects/index.ts';
import type { ControlDb } from '../../src/platform/db/control-db.ts';

/** A project as calls get it, for what a test does without one. */
export async function projectWithLimits(control: ControlDb, ref: string): Promise<Project> {
  const project = await getProject(control, ref);
  return { ...project, limits: limitsOf(project, defaultTiers) };
}
