import type { DevOptions } from '../node/dev-options.ts';
import { createNode, type Node } from '../node/node.ts';
import type { Config } from '../platform/config/config.ts';
import { releaseMemory } from './release-memory.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** Runs a node until it is told to stop; then finishes what was accepted, within 30 s. */
export async function serve(
  config: Config,
  { dev, afterStop = async () => {} }: { dev?: DevOptions; afterStop?: () => Promise<void> } = {},
): Promise<{ app: Node; address: string }> {
  const app = await createNode(config, dev);
  releaseMemory();
  const address = await app.start();
  if (!dev && config.FILES_URL === undefined && config.PUBLIC_URL === undefined) {
    app.http.log.warn(`PUBLIC_URL is not set: URLs of files start with ${address}, permanently`);
  }
  runUntilStopped(app.http.log, () => app.stop().then(afterStop));
  return { app, address };
}
