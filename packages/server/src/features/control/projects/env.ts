import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { isConfigKey } from './configs.ts';
import { invalidSetting, reservedKey, variableNotFound } from './errors.ts';
import { getProject } from './find-project.ts';
import { envPrefix, setProjectSecret } from './project-secrets.ts';
import { listSecretNames, removeSecret } from './secret-store.ts';

const longestValue = 10_000;

/** Sets an environment variable for the project's own code; it is stored encrypted. Returns its key. */
export async function setEnv(
  control: ControlDb,
  vault: Vault,
  { ref, key: given, value }: { ref: string; key: string; value: string },
): Promise<string> {
  const key = readKey(given);
  if (value === '' || value.length > longestValue)
    throw invalidSetting(key, `The value of ${key} must have 1 to ${longestValue} characters.`);
  await setProjectSecret(control, vault, { ref, name: `${envPrefix}${key}`, value });
  return key;
}

/** Removes a variable. Returns its key. */
export async function unsetEnv(control: ControlDb, ref: string, given: string): Promise<string> {
  const key = readKey(given);
  const { id } = await getProject(control, ref);
  if (!(await removeSecret(control, id, `${envPrefix}${key}`))) throw variableNotFound(key);
  return key;
}

/** The keys of a project's variables. Only its own code sees the values. */
export async function listEnv(control: ControlDb, ref: string): Promise<string[]> {
  const { id } = await getProject(control, ref);
  const names = await listSecretNames(control, id);
  return names.filter((name) => name.startsWith(envPrefix)).map((name) => name.slice(envPrefix.length));
}

/** The key as it is stored: in capitals, blanks as `_`, and none of the built-in ones. */
function readKey(text: string): string {
  const key = text.trim().toUpperCase().replace(/\s+/g, '_');
  if (!/^[A-Z_][A-Z0-9_]{0,63}$/.test(key)) {
    throw invalidSetting(
      'env',
      'The name of a variable must have up to 64 letters, digits and _, and must not start with a digit.',
    );
  }
  if (isConfigKey(key)) throw reservedKey(key);
  return key;
}
