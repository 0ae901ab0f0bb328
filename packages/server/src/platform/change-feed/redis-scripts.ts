/*
 * What has to happen at once in Redis. `KEYS[1]` is the stream of news of an epoch, and all other names begin with it:
 *
 *   …:of:<project>  a stream of the changes of a project, each with the `bytes` that it counts for
 *   …:bytes         how many bytes each project has
 *   …:sum           how many all have together
 *   …:heard         where in the log each project was last heard of
 *   …:floors        up to where changes were dropped, by project; under '' for all of them
 */

/** Adds a change; the project that has most gives way to it. Answers nothing if the epoch is not there. */
export const appendScript = `
local project, bytes, mostBytes, mostNews, old, position, lsn, previous, xid = unpack(ARGV, 1, 9)

local function drop(project, entry)
  local size = entry[2][2]
  redis.call('XDEL', KEYS[1] .. ':of:' .. project, entry[1])
  redis.call('HSET', KEYS[1] .. ':floors', project, entry[1])
  redis.call('ZINCRBY', KEYS[1] .. ':bytes', '-' .. size, project)
  return redis.call('DECRBY', KEYS[1] .. ':sum', size)
end

if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local told = redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', mostNews, position,
  'previous', previous, 'xid', xid, 'project', project)
if type(told) == 'table' and told.err then
  if string.find(told.err, 'equal or smaller', 1, true) then return position end
  return told
end
redis.call('XADD', KEYS[1] .. ':of:' .. project, position,
  'bytes', bytes, 'previous', previous, 'xid', xid, unpack(ARGV, 10))
redis.call('ZINCRBY', KEYS[1] .. ':bytes', bytes, project)
redis.call('ZADD', KEYS[1] .. ':heard', lsn, project)
local sum = redis.call('INCRBY', KEYS[1] .. ':sum', bytes)
for _, entry in ipairs(redis.call('XRANGE', KEYS[1] .. ':of:' .. project, '-', old, 'COUNT', 3)) do
  sum = drop(project, entry)
end
while sum > tonumber(mostBytes) do
  local largest = redis.call('ZREVRANGE', KEYS[1] .. ':bytes', 0, 0)[1]
  local oldest = redis.call('XRANGE', KEYS[1] .. ':of:' .. largest, '-', '+', 'COUNT', 1)[1]
  if not oldest then break end
  sum = drop(largest, oldest)
end
return position
`;

/** Drops what happened up to a position, in projects that were not heard of since. Others drop it when they write. */
export const forgetScript = `
local old, lsn = ARGV[1], ARGV[2]
redis.call('HSET', KEYS[1] .. ':floors', '', old)
redis.call('XTRIM', KEYS[1], 'MINID', '~', old)
for _, project in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1] .. ':heard', '-inf', '(' .. lsn, 'LIMIT', 0, 1000)) do
  redis.call('DECRBY', KEYS[1] .. ':sum', redis.call('ZSCORE', KEYS[1] .. ':bytes', project) or '0')
  redis.call('ZREM', KEYS[1] .. ':bytes', project)
  redis.call('ZREM', KEYS[1] .. ':heard', project)
  redis.call('HDEL', KEYS[1] .. ':floors', project)
  redis.call('DEL', KEYS[1] .. ':of:' .. project)
end
`;

/** Lets all of an epoch disappear after a while. */
export const expireScript = `
for _, project in ipairs(redis.call('ZRANGE', KEYS[1] .. ':bytes', 0, -1)) do
  redis.call('PEXPIRE', KEYS[1] .. ':of:' .. project, ARGV[1])
end
for _, name in ipairs({ '', ':bytes', ':sum', ':heard', ':floors' }) do
  redis.call('PEXPIRE', KEYS[1] .. name, ARGV[1])
end
`;
