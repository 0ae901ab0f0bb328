import type { Vault } from '../../platform/crypto/vault.ts';
import type { Cells } from '../../platform/db/cells.ts';
import { CachedLookup } from '../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../platform/invalidation/invalidation-listener.ts';
import { secretPlace } from './secret.ts';
import { findWebhook, listSecrets } from './store.ts';

/** Where a webhook goes, and what it is signed with. */
export interface WebhookTarget {
  readonly url: string;
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Date | null }[];
}

/** Finds webhooks for those who send them, from memory where that can be trusted. */
export class WebhookTargets {
  readonly #byCell: ReadonlyMap<number, CachedLookup<WebhookTarget>>;

  constructor(cells: Cells, listeners: ReadonlyMap<number, InvalidationListener>, vault: Vault) {
    this.#byCell = new Map(
      Array.from(listeners, ([cell, listener]) => {
        const load = async (key: string): Promise<WebhookTarget | undefined> => {
          const [projectId = '', id = ''] = key.split('/');
          const db = cells.lookups({ id: projectId, cell });
          const webhook = await findWebhook(db, id);
          if (!webhook) return undefined;
          const place = secretPlace(projectId, id);
          const sealed = await listSecrets(db, id);
          const secrets = sealed.map(({ secret, expiresAt }) => ({
            secret: vault.decrypt(secret, place),
            expiresAt,
          }));
          return { url: webhook.url, secrets };
        };
        return [cell, new CachedLookup(listener, { max: 10_000, topic: 'webhook', load })];
      }),
    );
  }

  async find(cell: number, projectId: string, id: string): Promise<WebhookTarget | undefined> {
    return this.#byCell.get(cell)?.get(`${projectId}/${id}`);
  }
}
