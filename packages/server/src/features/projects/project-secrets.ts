import { CachedLookup } from '../../platform/cached-lookup.ts';
import type { ChangeListener } from '../../platform/db/change-listener.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { parseJsonText } from '../../platform/json.ts';
import type { Vault } from '../../platform/vault.ts';
import { getProject } from './manage-project.ts';
import type { Project } from './project.ts';
import {
  findSecret,
  listSecretNames,
  listSecrets,
  removeSecret,
  replaceSecret,
  saveSecret,
} from './secret-store.ts';

const placeOf = (projectId: string, name: string) => `${name} of project ${projectId}`;

/** What projects need of other services (mail server, gateways, providers): encrypted where it is kept. */
export class ProjectSecrets {
  readonly #kept: CachedLookup<{ value: unknown }>;

  constructor(control: ControlDb, vault: Vault, listener: ChangeListener) {
    this.#kept = new CachedLookup(listener, {
      max: 10_000,
      topic: 'secret',
      load: async (key) => {
        const [id = '', name = ''] = key.split(/ (.*)/s, 2);
        const sealed = await findSecret(control, id, name);
        return { value: sealed && parseJsonText(vault.decrypt(sealed, placeOf(id, name))) };
      },
    });
  }

  /** The secret of that name; undefined: the project has none. */
  async find(project: Pick<Project, 'id'>, name: string): Promise<unknown> {
    return (await this.#kept.get(`${project.id} ${name}`))?.value;
  }
}

/** Encrypts and keeps a secret; every node hears of it. */
export async function setProjectSecret(
  control: ControlDb,
  vault: Vault,
  { ref, name, value }: { ref: string; name: string; value: unknown },
): Promise<void> {
  const { id } = await getProject(control, ref);
  await saveSecret(control, { id, name, sealed: vault.encrypt(JSON.stringify(value), placeOf(id, name)) });
}

/** Forgets a secret. False: there was none. */
export async function unsetProjectSecret(control: ControlDb, ref: string, name: string): Promise<boolean> {
  const { id } = await getProject(control, ref);
  return removeSecret(control, id, name);
}

/** The names of what a project has set. */
export async function listProjectSecrets(
  control: ControlDb,
  project: Pick<Project, 'id'>,
): Promise<string[]> {
  return listSecretNames(control, project.id);
}

/** Encrypts secrets anew that a former SECRET_KEY has sealed; how many there were. */
export async function resealProjectSecrets(control: ControlDb, vault: Vault): Promise<number> {
  let count = 0;
  for (let after = { id: '0', name: '' }; ; ) {
    const page = await listSecrets(control, after);
    for (const { id, name, sealed } of page) {
      if (vault.isCurrent(sealed)) continue;
      const text = vault.decrypt(sealed, placeOf(id, name));
      const anew = vault.encrypt(text, placeOf(id, name));
      if (await replaceSecret(control, { id, name, sealed }, anew)) count += 1;
    }
    const last = page.at(-1);
    if (!last) return count;
    after = last;
  }
}
