import { setTimeout as sleep } from 'node:timers/promises';
import type { LoneStage } from './lone-stage.ts';

export interface LoneStrike {
  readonly name: string;
  /** Does it for about so long, and undoes it. */
  readonly strike: (stage: LoneStage, ms: number) => Promise<void>;
  /** A node is away on purpose: only the service as a whole is measured. */
  readonly stopsNode?: true;
}

/** What can happen to a deployment without standbys. */
export const loneStrikes: readonly LoneStrike[] = [
  {
    name: 'PostgreSQL crashes and starts again',
    strike: async ({ postgres }, ms) => {
      await postgres.crash();
      await sleep(ms);
      await postgres.begin();
    },
  },
  {
    name: 'PostgreSQL frozen',
    strike: async ({ postgres }, ms) => {
      await postgres.freeze();
      await sleep(ms);
      await postgres.thaw();
    },
  },
  {
    name: 'connections to PostgreSQL silent, new ones work',
    strike: async ({ postgres }, ms) => {
      postgres.silence();
      await sleep(ms);
    },
  },
  {
    name: 'Redis killed',
    strike: async ({ redis }, ms) => {
      await redis.kill();
      await sleep(ms);
      await redis.begin();
    },
  },
  {
    name: 'Redis paused',
    strike: async ({ redis }, ms) => {
      redis.pause();
      await sleep(ms);
      redis.resume();
    },
  },
  {
    name: 'Redis full',
    strike: async ({ redis }, ms) => {
      await redis.limitMemory(1);
      await sleep(ms);
      await redis.limitMemory(0);
    },
  },
  {
    name: 'node killed and started again',
    stopsNode: true,
    strike: async ({ nodes }, ms) => {
      await nodes.stopNode(0, 'SIGKILL');
      await sleep(ms);
      await nodes.startNode(0);
    },
  },
  {
    name: 'node frozen',
    stopsNode: true,
    strike: async ({ nodes }, ms) => {
      nodes.signalNode(0, 'SIGSTOP');
      await sleep(ms);
      nodes.signalNode(0, 'SIGCONT');
    },
  },
];
