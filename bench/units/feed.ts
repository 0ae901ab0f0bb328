import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../packages/server/src/platform/ids.ts';
import { readRedisFacts } from '../../packages/server/src/platform/redis/redis-facts.ts';
import { follow } from '../realtime/follow.ts';
import type { Units } from '../scale/units.ts';
import { cpuMicrosecondsOf } from '../speed/cpu.ts';
import { articleOf } from '../speed/documents.ts';
import { round } from './costs.ts';
import type { Stage } from './stage.ts';

const commits = 6000;
const writers = 24;
const longestMs = 60_000;
/** Of the project of `fill`. */
const created = 2;

/** What changes cost that one subscriber hears of, each a commit of its own, made past the node. */
export async function measureFeed(stage: Stage, apiKey: string, projectId: string): Promise<Units['feed']> {
  const { node, pool, redis } = stage;
  const news: { heard: number; trouble?: string } = { heard: 0 };
  const socket = await follow(
    { url: node.url, apiKey, collection: 'created' },
    {
      onEvent: () => {
        news.heard += 1;
      },
      onTrouble: (what) => {
        news.trouble = what;
      },
    },
  );
  const ids = Array.from({ length: commits }, () => newId(created));
  const measure = async (text: string, values: (at: number) => unknown[]) => {
    const before = { ...news, ...(await lookAt()) };
    let next = 0;
    const write = async () => {
      for (let at = next++; at < commits; at = next++) await pool.query({ text, values: values(at) });
    };
    await Promise.all(Array.from({ length: writers }, write));
    const until = performance.now() + longestMs;
    while (news.heard - before.heard < commits && !news.trouble && performance.now() < until) await sleep(20);
    if (news.heard - before.heard < commits) throw new Error(news.trouble ?? 'Changes were not heard of.');
    const after = await lookAt();
    return {
      bytes: Math.round((after.bytes - before.bytes) / commits),
      node: round((after.node - before.node) / commits),
      redis: round((after.redis - before.redis) / commits),
    };
  };
  const lookAt = async () => ({
    node: await cpuMicrosecondsOf(node.pid),
    redis: await cpuMicrosecondsOf(redis.pid),
    bytes: (await readRedisFacts(redis.url, 5000)).usedBytes,
  });
  const create = await measure(
    `INSERT INTO cell.documents (project_id, collection, id, updated_at, data) VALUES ($1, $2, $3, 0, $4)`,
    (at) => [projectId, created, ids[at], JSON.stringify(articleOf(at))],
  );
  const patch = await measure(
    `UPDATE cell.documents SET version = 2, data = data || '{"views": 1}'
    WHERE project_id = $1 AND collection = $2 AND id = $3`,
    (at) => [projectId, created, ids[at]],
  );
  await socket.leave();
  return { createBytes: create.bytes, patchBytes: patch.bytes, node: patch.node, redis: patch.redis };
}
