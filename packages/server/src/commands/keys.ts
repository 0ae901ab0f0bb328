import { addSigningKey, resealSigningKeys } from '../features/app-users/index.ts';
import { resealAuthenticators } from '../features/auth-flows/index.ts';
import { resealProjectSecrets } from '../features/projects/index.ts';
import type { Config } from '../platform/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { openVault } from '../platform/vault.ts';
import { withCells } from './with-cells.ts';

/** Encrypts anew what former values of SECRET_KEY have encrypted; says how much it was. */
export async function resealAll(config: Config): Promise<string> {
  const vault = openVault(config);
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    const keys = await resealSigningKeys(control, vault);
    const secrets = await resealProjectSecrets(control, vault);
    let authenticators = 0;
    for (const cell of cells.numbers) authenticators += await resealAuthenticators(cells.pool(cell), vault);
    return `Encrypted anew: ${keys} signing keys, ${secrets} settings of projects, ${authenticators} authenticator secrets. Messages that wait are sent within a day or so, and signed URLs of files last at most 7 days; after that OLD_SECRET_KEYS can go.`;
  });
}

/** Makes a new key sign from now on; tokens of the key before it stay good. Returns its name. */
export async function rotateKeys(config: Config): Promise<string> {
  return withCells(config, (cells) => addSigningKey(new ControlDb(cells.pool(1)), openVault(config)));
}
