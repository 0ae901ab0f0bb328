import { addSigningKey } from '../features/app-users/index.ts';
import type { Config } from '../platform/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { Vault } from '../platform/vault.ts';
import { withCells } from './with-cells.ts';

/** Makes a new key sign from now on; tokens of the key before it stay good. Returns its name. */
export async function rotateKeys(config: Config): Promise<string> {
  return withCells(config, (cells) =>
    addSigningKey(new ControlDb(cells.pool(1)), new Vault(config.SECRET_KEY)),
  );
}
