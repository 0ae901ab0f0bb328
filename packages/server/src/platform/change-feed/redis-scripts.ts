import type { Result } from 'ioredis';
import { luaClock } from '../redis/lua-clock.ts';

/*
 * What has to happen at once in Redis. `KEYS[1]` is the stream of news of an epoch, and all other names begin with it:
 *
 *   …:of:<project>  a stream of the changes of a project, each with the `bytes` that it counts for
 *   …:bytes         how many bytes each project has
 *   …:sum           how many all have together
 *   …:heard         where in the log each project was last heard of
 *   …:floors        up to where changes were dropped, by project; under '' for all of them
 *   …:followed      until when each project is followed, by the clock of Redis
 *   …:skipped       the last change that was left out because nobody follows its project
 */

/**
 * Which of the projects are followed. Of all others nothing is written up to a position, and that is noted at once: who
 * begins to follow one of them later is told from where on there is everything. Answers nothing if the epoch is not there.
 */
const chooseScript = `${luaClock}
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local followed, isAll = {}, true
for at = 2, #ARGV do
  local ends = redis.call('ZSCORE', KEYS[1] .. ':followed', ARGV[at])
  if ends and tonumber(ends) > now then followed[#followed + 1] = ARGV[at] else isAll = false end
end
-- Refused if a later one was noted before.
if not isAll then redis.pcall('XADD', KEYS[1] .. ':skipped', 'MAXLEN', 1, ARGV[1], 'at', now) end
return followed
`;

/** Projects are followed for a while. Answers for each whether it was not, and from where on there is everything. */
const followScript = `${luaClock}
local function isBefore(a, b)
  local lsnA, indexA = string.match(a, '(%d+)-(%d+)')
  local lsnB, indexB = string.match(b, '(%d+)-(%d+)')
  -- As text: numbers of Lua are too short.
  if #lsnA ~= #lsnB then return #lsnA < #lsnB end
  if lsnA ~= lsnB then return lsnA < lsnB end
  return tonumber(indexA) < tonumber(indexB)
end

if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local skipped = redis.call('XREVRANGE', KEYS[1] .. ':skipped', '+', '-', 'COUNT', 1)[1]
local answers = {}
for at = 2, #ARGV do
  local project = ARGV[at]
  local ends = redis.call('ZSCORE', KEYS[1] .. ':followed', project)
  local isNew = not ends or tonumber(ends) <= now
  local floor = redis.call('HGET', KEYS[1] .. ':floors', project) or '0-0'
  if isNew and skipped and isBefore(floor, skipped[1]) then
    floor = skipped[1]
    redis.call('HSET', KEYS[1] .. ':floors', project, floor)
    redis.call('ZADD', KEYS[1] .. ':heard', 'GT', string.match(floor, '%d+'), project)
  end
  redis.call('ZADD', KEYS[1] .. ':followed', now + ARGV[1], project)
  answers[#answers + 1] = { isNew and 1 or 0, floor }
end
return answers
`;

/**
 * Adds changes; the project that has most gives way to them. Each is seven values and its fields. Answers nothing if the
 * epoch is not there.
 */
const appendScript = `
local mostBytes, mostNews, old = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local added = {}

local function drop(project, entry)
  local size = entry[2][2]
  redis.call('XDEL', KEYS[1] .. ':of:' .. project, entry[1])
  redis.call('HSET', KEYS[1] .. ':floors', project, entry[1])
  redis.call('ZINCRBY', KEYS[1] .. ':bytes', '-' .. size, project)
  return redis.call('DECRBY', KEYS[1] .. ':sum', size)
end

local function add(at, last)
  local project, bytes, position, lsn, previous, xid = unpack(ARGV, at, at + 5)
  local told = redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', mostNews, position,
    'previous', previous, 'xid', xid, 'project', project)
  if type(told) == 'table' and told.err then
    -- It was there before.
    if string.find(told.err, 'equal or smaller', 1, true) then return end
    return told
  end
  redis.call('XADD', KEYS[1] .. ':of:' .. project, position,
    'bytes', bytes, 'previous', previous, 'xid', xid, unpack(ARGV, at + 7, last))
  local own = added[project] or { bytes = 0, count = 0 }
  added[project] = { bytes = own.bytes + bytes, count = own.count + 1, lsn = lsn }
end

if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local at = 4
while at <= #ARGV do
  local last = at + 6 + ARGV[at + 6]
  local failure = add(at, last)
  if failure then return failure end
  at = last + 1
end
local sum = tonumber(redis.call('GET', KEYS[1] .. ':sum') or '0')
for project, own in pairs(added) do
  redis.call('ZINCRBY', KEYS[1] .. ':bytes', own.bytes, project)
  redis.call('ZADD', KEYS[1] .. ':heard', own.lsn, project)
  sum = redis.call('INCRBY', KEYS[1] .. ':sum', own.bytes)
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1] .. ':of:' .. project, '-', old, 'COUNT', 3 * own.count)) do
    sum = drop(project, entry)
  end
end
while sum > mostBytes do
  local largest = redis.call('ZREVRANGE', KEYS[1] .. ':bytes', 0, 0)[1]
  local oldest = redis.call('XRANGE', KEYS[1] .. ':of:' .. largest, '-', '+', 'COUNT', 1)[1]
  if not oldest then break end
  sum = drop(largest, oldest)
end
return 'OK'
`;

/** Drops what happened up to a position, in projects that were not heard of since. Others drop it when they write. */
const forgetScript = `${luaClock}
local old, lsn = ARGV[1], ARGV[2]
redis.call('HSET', KEYS[1] .. ':floors', '', old)
redis.call('XTRIM', KEYS[1], 'MINID', '~', old)
redis.call('ZREMRANGEBYSCORE', KEYS[1] .. ':followed', '-inf', now)
for _, project in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1] .. ':heard', '-inf', '(' .. lsn, 'LIMIT', 0, 1000)) do
  redis.call('DECRBY', KEYS[1] .. ':sum', redis.call('ZSCORE', KEYS[1] .. ':bytes', project) or '0')
  redis.call('ZREM', KEYS[1] .. ':bytes', project)
  redis.call('ZREM', KEYS[1] .. ':heard', project)
  redis.call('HDEL', KEYS[1] .. ':floors', project)
  redis.call('DEL', KEYS[1] .. ':of:' .. project)
end
`;

/** Nobody can go on in an epoch that has ended. */
const endScript = `
for _, project in ipairs(redis.call('ZRANGE', KEYS[1] .. ':bytes', 0, -1)) do
  redis.call('UNLINK', KEYS[1] .. ':of:' .. project)
end
for _, name in ipairs({ '', ':bytes', ':sum', ':heard', ':floors', ':followed', ':skipped' }) do
  redis.call('UNLINK', KEYS[1] .. name)
end
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    feedChoose(key: string, upTo: string, ...projects: readonly string[]): Result<string[] | null, Context>;
    feedFollow(
      key: string,
      forMs: number,
      ...projects: readonly string[]
    ): Result<[isNew: number, floor: string][] | null, Context>;
    feedAppend(key: string, ...given: readonly (string | number)[]): Result<'OK' | null, Context>;
    feedForget(key: string, old: string, lsn: string): Result<null, Context>;
    feedEnd(key: string): Result<null, Context>;
  }
}

export const feedScripts = {
  feedChoose: { lua: chooseScript, numberOfKeys: 1 },
  feedFollow: { lua: followScript, numberOfKeys: 1 },
  feedAppend: { lua: appendScript, numberOfKeys: 1 },
  feedForget: { lua: forgetScript, numberOfKeys: 1 },
  feedEnd: { lua: endScript, numberOfKeys: 1 },
};
