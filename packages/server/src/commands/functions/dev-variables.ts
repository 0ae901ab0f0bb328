import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { setEnv } from '../../features/control/projects/index.ts';
import type { Config } from '../../platform/config/config.ts';
import { openVault } from '../../platform/crypto/vault.ts';
import { ControlDb } from '../../platform/db/control-db.ts';
import { AppError } from '../../platform/errors.ts';
import { withCells } from '../with-cells.ts';
import { counted } from './words.ts';

/** Makes the lines of a file like `.env` variables of a project: those that are not as they were when it was last read. */
export function envFileReader(config: Config, ref: string, file: string): () => Promise<string | undefined> {
  const known = new Map<string, string>();
  return async () => {
    const given = Object.entries(await readVariables(file)).filter(
      ([key, value]) => known.get(key) !== value,
    );
    if (given.length === 0) return undefined;
    const refused: string[] = [];
    await withCells(config, async (cells) => {
      const control = new ControlDb(cells.pool(1));
      const vault = openVault(config);
      for (const [key, value] of given) {
        known.set(key, value);
        await setEnv(control, vault, { ref, key, value }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          refused.push(`.env: ${key} was skipped. ${error.message}`);
        });
      }
    });
    const count = given.length - refused.length;
    return [`.env: ${counted(count, 'variable')} set for functions.`, ...refused].join('\n');
  };
}

/** Variables without a value are the same as none. */
async function readVariables(file: string): Promise<Record<string, string>> {
  const read = parseEnv(await readFile(file, 'utf8').catch(() => ''));
  const filled = Object.entries(read).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return Object.fromEntries(filled);
}
