import { type CellCheck, ok, problem, warning } from '../check.ts';

/** Autovacuum begins to freeze at 200 million by itself; PostgreSQL takes no writes from about 2,147 million on. */
const late = 600_000_000;
const dangerous = 1_500_000_000;

export const vacuum: CellCheck = {
  id: 'vacuum',
  group: 'PostgreSQL',
  title: 'autovacuum and wraparound',
  page: 'doctor.md#autovacuum',
  async runInCell(cell) {
    const { autovacuum, frozenAge } = await cell.facts();
    const age = `${Math.round(frozenAge / 1_000_000).toLocaleString('en')} million transactions old`;
    const advice =
      'Run VACUUM FREEZE, and end transactions that have been open for hours (pg_stat_activity).';
    if (frozenAge > dangerous)
      return problem(
        `The oldest unfrozen row is ${age}: PostgreSQL stops all writes at 2,100 million.`,
        advice,
      );
    if (!autovacuum)
      return problem(
        'autovacuum is off: tables grow, and eventually PostgreSQL stops all writes.',
        'Set autovacuum = on, and reload PostgreSQL.',
      );
    if (frozenAge > late) return warning(`The oldest unfrozen row is ${age}.`, advice);
    return ok(`autovacuum is on; the oldest unfrozen row is ${age}.`);
  },
};
