import { type DeploymentCheck, ok, problem } from '../check.ts';

export const redisEviction: DeploymentCheck = {
  id: 'redis-eviction',
  group: 'Redis',
  title: 'maxmemory-policy',
  page: 'projects.md#when-redis-is-down',
  async run(deployment) {
    const redis = deployment.redis();
    if (!redis) return ok('Not configured.');
    const { evictionPolicy } = await redis;
    if (evictionPolicy === 'noeviction') return ok('Redis evicts nothing.');
    return problem(
      `maxmemory-policy is ${evictionPolicy}: when full, Redis silently discards changes and counters.`,
      'Set maxmemory-policy noeviction, in redis.conf or with CONFIG SET.',
    );
  },
};
