import { addSigningKey } from '../features/people/tokens/index.ts';
import { tables } from '../node/tables.ts';
import type { Config } from '../platform/config/config.ts';
import { openVault } from '../platform/crypto/vault.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import type { OwnedTable } from '../platform/tables/owned-table.ts';
import { resealRows } from '../platform/tables/reseal-rows.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

/** `plinth keys …`: returns what to do, which in turn returns the line to print. */
export function keysCommand(args: readonly string[]): (config: Config) => Promise<string> {
  const [action] = args;
  if (args.length !== 1 || (action !== 'rotate' && action !== 'reseal'))
    throw new UsageError('plinth keys takes one action: rotate or reseal.');
  return action === 'rotate' ? rotateKeys : resealAll;
}

/** Encrypts again what former values of SECRET_KEY have encrypted. */
export async function resealAll(config: Config): Promise<string> {
  const vault = openVault(config);
  return withCells(config, async (cells) => {
    const counts: string[] = [];
    const isOfControl = ({ name }: OwnedTable) => name.startsWith('control.');
    for (const table of tables.toSorted(
      (one, other) => Number(isOfControl(other)) - Number(isOfControl(one)),
    )) {
      if (!table.sealed) continue;
      const pools = isOfControl(table) ? [cells.pool(1)] : cells.numbers.map((cell) => cells.pool(cell));
      let count = 0;
      for (const pool of pools) count += await resealRows(pool, table, vault);
      counts.push(`${count} ${table.sealed.holds}`);
    }
    return `Re-encrypted: ${counts.join(', ')}. Waiting messages are sent within about a day, and signed URLs of files are valid for at most 7 days; after that, you can remove OLD_SECRET_KEYS.`;
  });
}

/** Signs with a new key from now on; tokens signed with the key before it stay valid. */
async function rotateKeys(config: Config): Promise<string> {
  return withCells(config, async (cells) => {
    const key = await addSigningKey(new ControlDb(cells.pool(1)), openVault(config));
    return `New tokens are signed with key ${key}.`;
  });
}
