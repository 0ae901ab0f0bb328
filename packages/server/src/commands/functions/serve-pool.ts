import { createFunctionsPool } from '../../node/functions-pool.ts';
import { parsePoolConfig } from '../../platform/config/config.ts';
import { createLog } from '../../platform/log.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { UsageError } from '../usage.ts';

/** `plinth functions serve`: runs the code of projects for nodes, on a machine that knows nothing else. */
export async function servePool(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  if (args.length > 0)
    throw new UsageError('plinth functions serve has no options: it is configured by environment variables.');
  const config = parsePoolConfig(environment);
  const log = createLog(config.LOG_LEVEL);
  const pool = createFunctionsPool(config, log);
  const { address, health } = await pool.start();
  log.info({ address, health }, 'ready to run functions for nodes');
  runUntilStopped(log, () => pool.stop());
}
