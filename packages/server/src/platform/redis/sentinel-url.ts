import type { RedisOptions } from 'ioredis';

const sentinelPort = 26_379;
const form = /^redis(s?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^/?]+)(?:\/(\d+))?(?:\?(.*))?$/;
const host = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;

/**
 * Where Sentinels say which Redis is the primary, as other tools write it:
 * `redis+sentinel://user:password@host:port,host:port/name/database?sentinel_password=…`. Undefined: it is not so written.
 */
export function readSentinelUrl(url: string): Omit<RedisOptions, 'replyMapping'> | undefined {
  const [, s, credentials = '', hosts = '', name = '', database, query] = form.exec(url) ?? [];
  const sentinels = hosts.split(',').map((one) => host.exec(one.trim()));
  if (name === '' || sentinels.includes(null)) return undefined;
  const [username = '', password = ''] = credentials.split(':').map(decodeURIComponent);
  const own = new URLSearchParams(query);
  return {
    name: decodeURIComponent(name),
    sentinels: sentinels.flatMap((found) => {
      const [, address = '', port] = found ?? [];
      return [{ host: address.replace(/^\[|\]$/g, ''), port: Number(port ?? sentinelPort) }];
    }),
    // It hears from the Sentinels of a new primary also while the connection to the old one seems alive.
    failoverDetector: true,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(database !== undefined && { db: Number(database) }),
    ...optional('sentinelUsername', own.get('sentinel_username')),
    ...optional('sentinelPassword', own.get('sentinel_password')),
    ...(s === 's' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

const optional = (name: string, value: string | null) => (value === null ? {} : { [name]: value });
