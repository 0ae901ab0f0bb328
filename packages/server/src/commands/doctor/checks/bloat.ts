import { type CellCheck, ok, warning } from '../check.ts';

/** Autovacuum waits for a fifth of a table to be dead; far beyond that it does not keep up. */
const deadShare = 0.5;
/** Small tables are cleared in no time. */
const deadRows = 100_000;

export const bloat: CellCheck = {
  id: 'bloat',
  group: 'PostgreSQL',
  title: 'dead rows',
  page: 'doctor.md#autovacuum',
  async runInCell(cell) {
    const { deadRows: worst } = await cell.facts();
    if (!worst || worst.dead < deadRows || worst.dead < worst.live * deadShare)
      return ok('No table has many dead rows.');
    return warning(
      `${worst.table} has ${worst.dead.toLocaleString('en')} dead rows and ${worst.live.toLocaleString('en')} live ones.`,
      'Autovacuum does not keep up: end long transactions, drop unused slots, raise autovacuum_vacuum_cost_limit.',
    );
  },
};
