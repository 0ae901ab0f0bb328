import { defaultFeedBytes } from '../../../platform/change-feed/change-stream.ts';
import { type DeploymentCheck, ok, problem, warning } from '../check.ts';
import { megabytes } from '../megabytes.ts';

const nearlyFull = 0.7;
const full = 0.95;

export const redisMemory: DeploymentCheck = {
  id: 'redis-memory',
  group: 'Redis',
  title: 'memory',
  page: 'projects.md#when-redis-is-down',
  async run(deployment) {
    const redis = deployment.redis();
    if (!redis) return ok('Not configured.');
    const { usedBytes, mostBytes, hasLimit } = await redis;
    const feed = deployment.config.FEED_MAX_BYTES ?? defaultFeedBytes.redis;
    const need = feed * deployment.cells.length;
    const used = `${megabytes(usedBytes)} of ${megabytes(mostBytes)} are used`;
    const advice = 'Raise maxmemory (and the memory of its machine), or lower FEED_MAX_BYTES.';
    if (hasLimit && usedBytes > mostBytes * full) return problem(`Redis is full: ${used}.`, advice);
    if (hasLimit && usedBytes > mostBytes * nearlyFull)
      return warning(`Redis is nearly full: ${used}.`, advice);
    if (need > mostBytes)
      return warning(
        `The change feed can take up to ${megabytes(need)} (FEED_MAX_BYTES for each cell), but Redis has ${megabytes(mostBytes)}.`,
        advice,
      );
    return ok(`${used}; the change feed takes up to ${megabytes(need)}.`);
  },
};
