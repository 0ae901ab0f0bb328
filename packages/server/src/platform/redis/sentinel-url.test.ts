import { expect, test } from 'vitest';
import { readSentinelUrl } from './sentinel-url.ts';

test('Sentinels, the name of the primary and the credentials are read', () => {
  expect(readSentinelUrl('redis+sentinel://one,two:5000/main')).toEqual({
    name: 'main',
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 5000 },
    ],
    failoverDetector: true,
  });
  const url = 'rediss+sentinel://plinth:p%40ss@[::1]:26379,10.0.0.2/main/3?sentinel_password=other';
  expect(readSentinelUrl(url)).toEqual({
    name: 'main',
    sentinels: [
      { host: '::1', port: 26_379 },
      { host: '10.0.0.2', port: 26_379 },
    ],
    failoverDetector: true,
    username: 'plinth',
    password: 'p@ss',
    db: 3,
    sentinelPassword: 'other',
    tls: {},
    sentinelTLS: {},
    enableTLSForSentinelMode: true,
  });
});

test.each([
  'redis://one:6379/0',
  'redis+sentinel://one:26379',
  'redis+sentinel://one:26379/',
  'redis+sentinel://one:many/main',
  'redis+sentinel://,/main',
  'redis+sentinel://one:26379/main/first',
])('%s does not say where Sentinels are', (url) => {
  expect(readSentinelUrl(url)).toBeUndefined();
});
