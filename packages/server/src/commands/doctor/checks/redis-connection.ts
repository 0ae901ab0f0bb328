import { type DeploymentCheck, ok, problem, warning } from '../check.ts';
import { showUrl } from '../show-url.ts';
import { why } from '../why.ts';

export const redisConnection: DeploymentCheck = {
  id: 'redis-connection',
  group: 'Redis',
  title: 'connection',
  page: 'configuration.md#redis',
  mustAnswer: true,
  async run(deployment) {
    const redis = deployment.redis();
    if (!redis) {
      const [first] = deployment.cells;
      const processes = deployment.processes ?? (await first?.facts().catch(() => undefined))?.listeners ?? 1;
      if (processes <= 1) return ok('Not configured: a single node with one process does not need it.');
      return warning(
        `REDIS_URL is not set, but there are ${processes} processes: each counts limits on its own, and realtime fails.`,
        'Set REDIS_URL on every node.',
      );
    }
    const address = showUrl(deployment.config.REDIS_URL ?? '');
    try {
      const { isPrimary } = await redis;
      if (isPrimary) return ok(`${address} responds.`);
      return problem(
        `${address} is a replica, which does not accept writes.`,
        'Name the primary, or its Sentinels.',
      );
    } catch (error) {
      return problem(
        `${address} cannot be used: ${why(error)}.`,
        'Start Redis, or correct REDIS_URL. Until then, nobody can sign in, and realtime is paused.',
      );
    }
  },
};
