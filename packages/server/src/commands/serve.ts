import type { DevOptions } from '../node/dev-options.ts';
import { createNode, type Node } from '../node/node.ts';
import type { Config } from '../platform/config/config.ts';

const shutdownLimitMs = 30_000;

/** Runs a node until it is told to stop; then finishes what was accepted, within 30 s. */
export async function serve(
  config: Config,
  { dev, afterStop = async () => {} }: { dev?: DevOptions; afterStop?: () => Promise<void> } = {},
): Promise<{ app: Node; address: string }> {
  const app = await createNode(config, dev);
  const address = await app.start();
  if (!dev && config.FILES_URL === undefined && config.PUBLIC_URL === undefined) {
    app.http.log.warn(`PUBLIC_URL is not set: URLs of files start with ${address}, and stay so`);
  }
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    app.http.log.info({ signal }, 'shutting down');
    setTimeout(() => {
      app.http.log.error('not everything ended within 30 s');
      process.exit(1);
    }, shutdownLimitMs).unref();
    app
      .stop()
      .then(afterStop)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          app.http.log.error({ err: error }, 'shutting down failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { app, address };
}
