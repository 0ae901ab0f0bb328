import { Redis, type RedisOptions } from 'ioredis';
import { currentCall } from '../tracing/current-call.ts';
import { readSentinelUrl } from './sentinel-url.ts';

const connectTimeoutMs = 2000;
/** A connection to a host that is gone is given up some 15 s later, also where nothing is sent. */
const keepAliveMs = 5000;
const longestRetryMs = 1000;

/** Answers are mapped in one way: ioredis types its clients by it. */
type Options = Omit<RedisOptions, 'replyMapping'>;

/** The one place that makes connections to Redis. Nothing connects before it is needed. */
export function createRedis(url: string, options: Options): Redis {
  const all: Options = {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    keepAlive: keepAliveMs,
    retryStrategy: (times) => Math.min(times * 100, longestRetryMs),
    sentinelRetryStrategy: (times) => Math.min(times * 100, longestRetryMs),
    sentinelCommandTimeout: connectTimeoutMs,
    // What is read-only was the primary once: the address leads to another by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...options,
  };
  const bySentinels = readSentinelUrl(url);
  return withTraces(bySentinels ? new Redis({ ...all, ...bySentinels }) : new Redis(url, all));
}

/** Notes how long commands of traced calls take. */
function withTraces(redis: Redis): Redis {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const call = currentCall();
    const sent = send(command, stream);
    if (!call?.tracer) return sent;
    const startedAt = performance.now();
    const note = () => call.note('redis', command.name, startedAt, performance.now());
    command.promise.then(note, note);
    return sent;
  };
  return redis;
}
