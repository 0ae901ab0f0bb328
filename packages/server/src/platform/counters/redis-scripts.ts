import type { Result } from 'ioredis';
import { luaClock } from '../redis/lua-clock.ts';

/**
 * Redis runs each of these as one step, and its clock decides: it is the one that all nodes share.
 *
 * Takes calls from buckets, whose names get the number of the minute. It is told what the sender last knew of them, and
 * of which minute: a Redis that has lost its memory, or whose replica took over, goes on from there. Answers which bucket
 * was full, from 1 on, or 0; the time; then what each of them holds.
 */
const takeScript = `${luaClock}
  local calls, seenIn = tonumber(ARGV[1]), tonumber(ARGV[2])
  local window = math.floor(now / 60000)
  local names = {}
  for at, key in ipairs(KEYS) do names[at] = key .. ':' .. window end
  local counts = redis.call('MGET', unpack(names))
  local full = 0
  for at = 1, #KEYS do
    local seen = seenIn == window and tonumber(ARGV[2 + #KEYS + at]) or 0
    counts[at] = math.max(tonumber(counts[at] or 0), seen)
    if full == 0 and counts[at] >= tonumber(ARGV[2 + at]) then full = at end
  end
  if full == 0 then
    for at, name in ipairs(names) do
      counts[at] = counts[at] + calls
      redis.call('SET', name, counts[at], 'EX', 120)
    end
  end
  return {full, now, unpack(counts)}
`;

/** Notes that a process counts, and forgets those not heard of lately. Answers the time, and how many there are. */
const beatScript = `${luaClock}
  local life = tonumber(ARGV[2])
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - life)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], now + life, '+inf')
  redis.call('PEXPIRE', KEYS[1], life)
  return {now, redis.call('ZCARD', KEYS[1])}
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    take(keyCount: number, ...keysAndNumbers: (string | number)[]): Result<number[], Context>;
    beat(key: string, id: string, lifeMs: number): Result<[now: number, processes: number], Context>;
  }
}

export const counterScripts = { take: { lua: takeScript }, beat: { lua: beatScript, numberOfKeys: 1 } };
