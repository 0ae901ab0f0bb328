import { PlinthProcess } from '../support/nodes/plinth-process.ts';

export const poolSecret = 'a-secret-of-nodes-and-pools,-for-tests';

/** A machine that only runs functions, as people start it, once it takes calls. */
export async function startPool(
  environment: Record<string, string> = {},
): Promise<{ process: PlinthProcess; url: string; health: string }> {
  const process = new PlinthProcess(['functions', 'serve'], {
    SECRET_KEY: '',
    FUNCTIONS_POOL_SECRET: poolSecret,
    FUNCTIONS_SANDBOX: 'process',
    FUNCTIONS_BLANK_PROCESSES: '1',
    FUNCTIONS_HEALTH_PORT: '0',
    HOST: '127.0.0.1',
    PORT: '0',
    SHUTDOWN_DELAY_MS: '0',
    LOG_LEVEL: 'info',
    ...environment,
  });
  const line = await process.untilPrinted('stderr', /(\{[^\n]*"ready to run functions for nodes"[^\n]*)/);
  const { address, health } = JSON.parse(line) as { address: string; health: string };
  return { process, url: address, health };
}

/** What a node needs to let functions run at these pools. */
export const atPools = (urls: readonly string[], secret = poolSecret) => ({
  FUNCTIONS_SANDBOX: 'remote',
  FUNCTIONS_POOL_URLS: urls.join(', '),
  FUNCTIONS_POOL_SECRET: secret,
});
