import { compareSchema } from '../../../platform/db/migrate.ts';
import { type CellCheck, ok, problem, warning } from '../check.ts';

export const schema: CellCheck = {
  id: 'schema',
  group: 'PostgreSQL',
  title: 'schema',
  page: 'projects.md#in-production',
  async runInCell(cell) {
    const compare = (name: 'control' | 'cell') => cell.ask((client) => compareSchema(client, name));
    const states = [...(cell.number === 1 ? [await compare('control')] : []), await compare('cell')];
    const missing = states.flatMap((state) => state.missing);
    if (missing.length > 0)
      return problem(
        `${missing.length} ${missing.length === 1 ? 'migration was' : 'migrations were'} not applied: ${few(missing)}.`,
        'Run plinth migrate with this version, then start its nodes.',
      );
    const changed = states.flatMap((state) => state.changed);
    if (changed.length > 0)
      return problem(
        `Applied with different content than in this version: ${few(changed)}.`,
        'Run a released version of Plinth: this one, or the one that migrated the database, was modified.',
      );
    const unknown = states.flatMap((state) => state.unknown);
    if (unknown.length > 0)
      return warning(
        `The database was migrated by a newer version: ${few(unknown)}.`,
        'Upgrade the nodes too: the previous version keeps working, older ones may not.',
      );
    return ok('The schema matches this version.');
  },
};

function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown}, …` : shown;
}
