import { newApiKey, sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { isUuid } from '../../../platform/ids.ts';
import { getProject } from '../projects/index.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { checkAddresses, checkExpiry, checkKeyName, checkScopes } from './check-key-settings.ts';
import { keyNotFound, tooManyKeys } from './errors.ts';
import { insertKey, type KeyChanges, listOf, lockKeysOf, removeKey, updateKey } from './store.ts';

/** Additional API keys of a project. @limit too_many_api_keys */
const mostKeys = 100;
const hintLength = 4;

export interface KeyWish {
  readonly ref: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | null;
  /** The addresses and networks that it may be used from; none: from everywhere. */
  readonly addresses?: readonly string[];
}

/** Gives a project a further key. This is the only time that the key is returned. */
export async function createKey(
  control: ControlDb,
  { ref, name, scopes, expiresAt = null, addresses = [] }: KeyWish,
): Promise<{ record: ApiKeyRecord; apiKey: string }> {
  const apiKey = newApiKey();
  const key = {
    name: checkKeyName(name),
    hash: sha256(apiKey),
    hint: apiKey.slice(-hintLength),
    scopes: checkScopes(scopes),
    expiresAt: checkExpiry(expiresAt),
    addresses: checkAddresses(addresses),
  };
  return control.transaction(async (control) => {
    const { id } = await getProject(control, ref);
    await lockKeysOf(control, id);
    const record = await insertKey(control, id, key, mostKeys);
    if (!record) throw tooManyKeys(mostKeys);
    return { record, apiKey };
  });
}

/** The further keys of a project, the oldest first. */
export async function listKeys(control: ControlDb, ref: string): Promise<ApiKeyRecord[]> {
  const { id } = await getProject(control, ref);
  return listOf(control, id);
}

/** Changes what a key may do, until when and from where. The next call with it goes by that, on every node. */
export async function changeKey(
  control: ControlDb,
  { ref, id }: { ref: string; id: string },
  { name, scopes, expiresAt, addresses }: KeyChanges,
): Promise<ApiKeyRecord> {
  const project = await getProject(control, ref);
  const changes = {
    ...(name !== undefined && { name: checkKeyName(name) }),
    ...(scopes !== undefined && { scopes: checkScopes(scopes) }),
    ...(expiresAt !== undefined && { expiresAt: checkExpiry(expiresAt) }),
    ...(addresses !== undefined && { addresses: checkAddresses(addresses) }),
  };
  const changed = isUuid(id) ? await updateKey(control, { projectId: project.id, id }, changes) : undefined;
  if (!changed) throw keyNotFound(id);
  return changed;
}

/** Revokes a key: the next call with it is refused, on every node. */
export async function deleteKey(control: ControlDb, { ref, id }: { ref: string; id: string }): Promise<void> {
  const project = await getProject(control, ref);
  const isGone = isUuid(id) && (await removeKey(control, { projectId: project.id, id }));
  if (!isGone) throw keyNotFound(id);
}
