import type { ProjectRecord } from '../../../calls/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { Invalidations } from '../../../platform/invalidation/invalidations.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { invalidSetting, settingNotFound } from './errors.ts';
import { getProject } from './find-project.ts';
import { findSecret, listSecretNames, removeSecret, saveSecret } from './secret-store.ts';

/** Environment variables are secrets too; their names start with this. */
export const envPrefix = 'env:';

/** Environment variables and services of one project. */
const mostSecrets = 200;

/** What is sealed for one secret of one project cannot be opened as another. */
export const secretPlace = (projectId: string, name: string) => `${name} of project ${projectId}`;

/** What projects need to use other services (mail server, text gateway, identity providers); stored encrypted. */
export class ProjectSecrets {
  readonly #kept: CachedLookup<{ value: unknown }>;

  constructor(control: ControlDb, vault: Vault, listener: Invalidations) {
    this.#kept = new CachedLookup(listener, {
      max: 10_000,
      topic: 'secret',
      load: async (key) => {
        const [id = '', name = ''] = key.split(/ (.*)/s, 2);
        const sealed = await findSecret(control, id, name);
        return { value: sealed && parseJsonText(vault.decrypt(sealed, secretPlace(id, name))) };
      },
    });
  }

  /** The secret of that name; undefined if the project has none. */
  async find(project: Pick<ProjectRecord, 'id'>, name: string): Promise<unknown> {
    return (await this.#kept.get(`${project.id} ${name}`))?.value;
  }
}

/** Encrypts and stores a secret, which the caller has checked. Every node hears of it. */
export async function setProjectSecret(
  control: ControlDb,
  vault: Vault,
  { ref, name, value }: { ref: string; name: string; value: unknown },
): Promise<void> {
  const { id } = await getProject(control, ref);
  const names = await listSecretNames(control, id);
  if (names.length >= mostSecrets && !names.includes(name))
    throw invalidSetting(name, `A project can have at most ${mostSecrets} variables and services.`);
  await saveSecret(control, {
    id,
    name,
    sealed: vault.encrypt(JSON.stringify(value), secretPlace(id, name)),
  });
}

export async function unsetProjectSecret(control: ControlDb, ref: string, name: string): Promise<void> {
  const { id } = await getProject(control, ref);
  if (!(await removeSecret(control, id, name))) throw settingNotFound(ref, name);
}

/** The names of a project's secrets, without its environment variables. */
export async function listProjectSecrets(
  control: ControlDb,
  project: Pick<ProjectRecord, 'id'>,
): Promise<string[]> {
  const names = await listSecretNames(control, project.id);
  return names.filter((name) => !name.startsWith(envPrefix));
}
