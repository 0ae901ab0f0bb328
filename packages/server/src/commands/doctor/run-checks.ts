import type { CellUnderTest } from './cell-under-test.ts';
import { type Check, type Finding, problem, unchecked } from './check.ts';
import type { Deployment } from './deployment.ts';
import { why } from './why.ts';

/** What one check may take. */
const limitMs = 5000;

/** A finding, and what it is about. */
export interface Result extends Finding {
  readonly check: Check;
  /** Where there are several cells, which one. */
  readonly cell?: number;
}

/** All at once: one that gets no answer keeps no other waiting. */
export async function runChecks(checks: readonly Check[], deployment: Deployment): Promise<Result[]> {
  const results = checks.flatMap((check) =>
    'run' in check
      ? [runOne(check, () => check.run(deployment))]
      : deployment.cells.map((cell) =>
          runOne(
            check,
            () => check.runInCell(cell, deployment),
            deployment.cells.length > 1 ? cell : undefined,
          ),
        ),
  );
  return Promise.all(results);
}

async function runOne(check: Check, work: () => Promise<Finding>, cell?: CellUnderTest): Promise<Result> {
  const finding = await withinTime(work, check).catch((error: unknown) => unchecked(`${why(error)}.`));
  return { check, ...(cell && { cell: cell.number }), ...finding };
}

async function withinTime(work: () => Promise<Finding>, { mustAnswer }: Check): Promise<Finding> {
  const late = Promise.withResolvers<Finding>();
  const silence = `There was no response within ${limitMs / 1000} s`;
  const timer = setTimeout(
    () =>
      late.resolve(
        mustAnswer
          ? problem(`${silence}.`, 'Check whether it is running, overloaded, or blocked by a firewall.')
          : unchecked(`${silence}.`),
      ),
    limitMs,
  );
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
