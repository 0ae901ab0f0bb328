import { pino } from 'pino';
import { type Config, parseCells } from '../platform/config.ts';
import { Cells } from '../platform/db/cells.ts';

/** Opens the databases for one command and closes them after it. */
export async function withCells<Result>(
  config: Config,
  work: (cells: Cells) => Promise<Result>,
): Promise<Result> {
  const log = pino({ level: config.LOG_LEVEL }, pino.destination(2));
  const cells = new Cells(parseCells(config), { size: 2, statementTimeoutMs: 600_000 }, log);
  try {
    return await work(cells);
  } finally {
    await cells.close();
  }
}
