import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { conduct } from './conduct.ts';
import { LonePostgres } from './lone-postgres.ts';
import { Nodes } from './nodes.ts';
import { findPreviousVersion, layOutVersion } from './previous-version.ts';
import { RedisProcess } from './redis-process.ts';
import type { Rig, Scenario } from './scenario.ts';

const betweenMs = 3000;

/** Nodes of two versions on one schema: one after the other to the new version, and back. */
export const upgradeScenario: Scenario = {
  name: 'upgrade from the last schema, node by node, and back',
  postgres: 18,
  isMissing: () =>
    findPreviousVersion() === undefined ? 'the history does not reach back to another schema' : undefined,
  run: upgradeAndBack,
};

async function upgradeAndBack({ folder }: Rig) {
  const former = layOutVersion(findPreviousVersion()!, join(folder, 'former'));
  await using postgres = await LonePostgres.start();
  await using redis = await RedisProcess.start();
  const settings = { DATABASE_URL: postgres.linkedUrl, REDIS_URL: redis.url };
  await using nodes = await Nodes.start(settings, [{}, {}], former);
  const roll = async (program?: string) => {
    for (const node of [0, 1]) {
      await nodes.stopNode(node, 'SIGTERM');
      await nodes.startNode(node, program);
      await sleep(betweenMs);
    }
  };
  const strike = async () => {
    await nodes.run('migrate');
    await sleep(betweenMs);
    await roll();
    await roll(former);
  };
  return await conduct({ nodes, databaseUrl: postgres.url, strike, gapsOf: 'service' });
}
