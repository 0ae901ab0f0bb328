import type { Tier } from '../../platform/config.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { newApiKey, newProjectRef, sha256 } from '../../platform/secrets.ts';
import { checkOrigins } from './origins.ts';
import type { Project } from './project.ts';
import { ProjectError } from './project-error.ts';
import { insertProject, takeCell } from './store.ts';

export interface NewProject {
  readonly name: string;
  readonly tier: Tier;
  readonly allowedOrigins?: readonly string[];
}

/** Creates a project in the emptiest cell. The API key is returned here and never again. */
export async function createProject(
  control: ControlDb,
  { name, tier, allowedOrigins = [] }: NewProject,
): Promise<{ project: Project; apiKey: string }> {
  if (name.trim() === '' || name.length > 100)
    throw new ProjectError('A project name has 1 to 100 characters.');
  const apiKey = newApiKey();
  const origins = checkOrigins(allowedOrigins);
  return control.transaction(async (control) => {
    const cell = await takeCell(control);
    if (cell === undefined)
      throw new ProjectError('No cell takes new projects. Add one, or open one in control.cells.');
    const project = await insertProject(control, {
      ref: newProjectRef(),
      name,
      cell,
      tier,
      allowedOrigins: origins,
      apiKeyHash: sha256(apiKey),
    });
    return { project, apiKey };
  });
}
