import type { ControlDb } from '../../platform/db/control-db.ts';
import type { Vault } from '../../platform/vault.ts';
import { isConfigKey } from './config-keys.ts';
import { getProject } from './manage-project.ts';
import { ProjectError } from './project-error.ts';
import { listProjectSecrets, setProjectSecret, unsetProjectSecret } from './project-secrets.ts';

const prefix = 'env:';
const longestValue = 10_000;

/** The key of an environment variable as it is kept: in capitals, blanks as `_`, and none of the built-in ones. */
function readEnvironmentKey(text: string): string {
  const key = text.trim().toUpperCase().replace(/\s+/g, '_');
  if (!/^[A-Z_][A-Z0-9_]{0,63}$/.test(key)) {
    throw new ProjectError('A variable has up to 64 letters, digits and _, and does not begin with a digit.');
  }
  if (isConfigKey(key)) {
    throw new ProjectError(
      `${key} is a built-in configuration key: plinth project config set <ref> ${key} <value>`,
    );
  }
  return key;
}

/** Sets a variable of the project's own code; encrypted where it is kept. Returns its key. */
export async function setVariable(
  control: ControlDb,
  vault: Vault,
  { ref, key: given, value }: { ref: string; key: string; value: string },
): Promise<string> {
  const key = readEnvironmentKey(given);
  if (value === '' || value.length > longestValue) {
    throw new ProjectError(`The value of ${key} has 1 to ${longestValue} characters.`);
  }
  await setProjectSecret(control, vault, { ref, name: `${prefix}${key}`, value });
  return key;
}

/** Removes a variable. Returns its key; undefined: there was none. */
export async function unsetVariable(
  control: ControlDb,
  ref: string,
  given: string,
): Promise<string | undefined> {
  const key = readEnvironmentKey(given);
  return (await unsetProjectSecret(control, ref, `${prefix}${key}`)) ? key : undefined;
}

/** The keys of a project's variables: values are for its code alone. */
export async function listVariables(control: ControlDb, ref: string): Promise<string[]> {
  const names = await listProjectSecrets(control, await getProject(control, ref));
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/** Whether a secret is a service that the project uses, and not a variable of its code. */
export const isService = (name: string): boolean => !name.startsWith(prefix);
