import type { ProjectRecord } from '../../../calls/index.ts';
import { newApiKey, newProjectRef, sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { takeCell } from './cell-store.ts';
import { invalidSetting, noOpenCell } from './errors.ts';
import { checkOrigins } from './origins.ts';
import { insertProject } from './store.ts';
import { checkTier } from './tier.ts';

export interface NewProject {
  readonly name: string;
  readonly tier: string;
  readonly allowedOrigins?: readonly string[];
  /** Deleted after so long, unless somebody claims it with what is behind this hash. */
  readonly temporary?: { readonly lastsS: number; readonly claimHash: Buffer } | undefined;
}

/** Creates a project in the emptiest cell. This is the only time that the API key is returned. */
export async function createProject(
  control: ControlDb,
  { name, tier: tierName, allowedOrigins = [], temporary }: NewProject,
): Promise<{ project: ProjectRecord; apiKey: string }> {
  checkName(name);
  const apiKey = newApiKey();
  const tier = checkTier(tierName);
  const origins = checkOrigins(allowedOrigins);
  return control.transaction(async (control) => {
    const cell = await takeCell(control);
    if (cell === undefined) throw noOpenCell();
    const project = await insertProject(control, {
      ref: newProjectRef(),
      name,
      cell,
      tier,
      allowedOrigins: origins,
      apiKeyHash: sha256(apiKey),
      ...(temporary && { temporary }),
    });
    return { project, apiKey };
  });
}

export function checkName(name: string): void {
  if (name.trim() === '' || name.length > 100)
    throw invalidSetting('name', 'A project name must have 1 to 100 characters.');
}
