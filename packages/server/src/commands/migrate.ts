import { registerCells } from '../features/control/projects/index.ts';
import { type Config, parseCells } from '../platform/config/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { migrate } from '../platform/db/migrate.ts';
import { withCells } from './with-cells.ts';

/** `plinth migrate`: returns the lines to print. */
export async function runMigrateCommand(config: Config): Promise<string> {
  const done = await migrateAll(config);
  return done.length === 0 ? 'Everything is up to date.' : done.map((name) => `applied ${name}`).join('\n');
}

/** Brings control and every configured cell up to date; safe to run on many nodes at once. Returns what it applied. */
export async function migrateAll(config: Config): Promise<string[]> {
  const done = await migrate('control', config.DATABASE_URL);
  const cells = parseCells(config);
  for (const [number, url] of cells) {
    for (const name of await migrate('cell', url)) done.push(`${name} (cell ${number})`);
  }
  await withCells(config, (pools) => registerCells(new ControlDb(pools.pool(1)), [...cells.keys()]));
  return done;
}
