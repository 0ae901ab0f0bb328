import { type DeploymentCheck, ok, problem } from '../check.ts';

const oldest = 7;

export const redisVersion: DeploymentCheck = {
  id: 'redis-version',
  group: 'Redis',
  title: 'version',
  page: 'configuration.md#redis',
  async run(deployment) {
    const redis = deployment.redis();
    if (!redis) return ok('Not configured.');
    const { version } = await redis;
    if (Number.parseInt(version, 10) >= oldest) return ok(`Redis ${version}.`);
    return problem(`Redis ${version} is too old.`, 'Upgrade to Redis 7 or newer.');
  },
};
