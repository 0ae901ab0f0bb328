import type { ScopedKey } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { scopedKey } from './api-key.ts';
import { findByHash } from './store.ts';

/** The further key of that hash, and whose it is. */
export async function findKey(
  control: ControlDb,
  hash: Buffer,
): Promise<{ projectId: string; key: ScopedKey } | undefined> {
  const stored = await findByHash(control, hash);
  return stored && { projectId: stored.projectId, key: scopedKey(stored) };
}
