import type { ProjectRecord } from '../../../calls/index.ts';
import { newApiKey, sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { requireFound } from './find-project.ts';
import { findByRef, saveApiKey } from './store.ts';

/** Is this the project's API key now? */
export async function isCurrentKey(control: ControlDb, ref: string, apiKey: string): Promise<boolean> {
  const project = await findByRef(control, ref);
  return project?.apiKeyHash.equals(sha256(apiKey)) ?? false;
}

/**
 * Replaces the API key. Every node hears of it with the commit; a node whose connection has died silently refuses the
 * old key within 3 s.
 */
export async function regenerateKey(
  control: ControlDb,
  ref: string,
): Promise<{ project: ProjectRecord; apiKey: string }> {
  const apiKey = newApiKey();
  const project = requireFound(ref, await saveApiKey(control, ref, sha256(apiKey)));
  return { project, apiKey };
}
