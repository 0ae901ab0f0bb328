import { type DeploymentCheck, ok, problem } from '../check.ts';

export const redisEviction: DeploymentCheck = {
  id: 'redis-eviction',
  group: 'Redis',
  title: 'maxmemory-policy',
  page: 'projects.md#while-redis-is-away',
  async run(deployment) {
    const redis = deployment.redis();
    if (!redis) return ok('There is none.');
    const { evictionPolicy } = await redis;
    if (evictionPolicy === 'noeviction') return ok('Redis evicts nothing.');
    return problem(
      `maxmemory-policy is ${evictionPolicy}: a full Redis throws changes and counts away, unnoticed.`,
      'Set maxmemory-policy noeviction, in redis.conf or with CONFIG SET.',
    );
  },
};
