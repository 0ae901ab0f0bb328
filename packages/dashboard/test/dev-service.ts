import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlinthProcess } from '../../server/test/support/nodes/plinth-process.ts';

interface DevService extends AsyncDisposable {
  readonly apiKey: string;
  readonly projectUrl: string;
  readonly projectRef: string;
  /** Signs in whoever opens it first. */
  readonly dashboardUrl: string;
}

/** `plinth dev` in a folder of its own, as somebody runs it who has just come. */
export async function startDevService(): Promise<DevService> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-dev-'));
  const dev = new PlinthProcess(['dev', '--json', '--port', '0', '--data-dir', join(folder, 'data')], {
    FILES_FOLDER: join(folder, 'files'),
  });
  const line = await dev.untilPrinted('stdout', /^(\{.*\})$/m);
  return {
    ...(JSON.parse(line) as Omit<DevService, typeof Symbol.asyncDispose>),
    async [Symbol.asyncDispose]() {
      await dev.stop('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
