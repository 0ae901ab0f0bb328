import { createHash } from 'node:crypto';
import type { ProjectRecord } from '../../../calls/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { Invalidations } from '../../../platform/invalidation/invalidations.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { configOf } from './configs.ts';
import { envPrefix, secretPlace } from './project-secrets.ts';
import { listSecrets } from './secret-store.ts';

interface Variables {
  /** Changes with any of the values. */
  readonly epoch: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What the code of projects reads with `config.get`: the built-in configuration keys and environment variables. */
export class ProjectEnvironments {
  readonly #variables: CachedLookup<Variables>;

  constructor(control: ControlDb, vault: Vault, listener: Invalidations) {
    this.#variables = new CachedLookup(listener, {
      max: 2000,
      topic: 'env',
      load: async (id) => {
        const secrets = await listSecrets(control, id, envPrefix);
        const entries = secrets.map(({ name, sealed }) => [
          name.slice(envPrefix.length),
          parseJsonText(vault.decrypt(sealed, secretPlace(id, name))),
        ]);
        return numbered(Object.fromEntries(entries));
      },
    });
  }

  async of(project: Pick<ProjectRecord, 'id' | 'configs'>): Promise<Variables> {
    const { epoch, values } = (await this.#variables.get(project.id)) ?? numbered({});
    const configs = numbered(configOf(project));
    // No variable has the name of a built-in key.
    return { epoch: `${epoch} ${configs.epoch}`, values: { ...values, ...configs.values } };
  }
}

function numbered(values: Readonly<Record<string, unknown>>): Variables {
  return { epoch: createHash('sha256').update(JSON.stringify(values)).digest('base64url'), values };
}
