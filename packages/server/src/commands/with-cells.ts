import { type Config, parseCells } from '../platform/config/config.ts';
import { Cells } from '../platform/db/cells.ts';
import { createLog } from '../platform/log.ts';

/** Opens the databases for one command and closes them after it. */
export async function withCells<Result>(
  config: Config,
  work: (cells: Cells) => Promise<Result>,
): Promise<Result> {
  const cells = new Cells(
    parseCells(config),
    { size: 2, statementTimeoutMs: 600_000 },
    createLog(config.LOG_LEVEL),
  );
  try {
    return await work(cells);
  } finally {
    await cells.close();
  }
}
