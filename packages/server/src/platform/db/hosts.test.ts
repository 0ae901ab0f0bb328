import { expect, test } from 'vitest';
import { hostsOf } from './hosts.ts';

test.each([
  ['postgres://a/plinth', ['postgres://a/plinth']],
  [
    'postgresql://me:p%40ss@a:5433/plinth?sslmode=require',
    ['postgresql://me:p%40ss@a:5433/plinth?sslmode=require'],
  ],
  ['postgres://a,b/plinth', ['postgres://a/plinth', 'postgres://b/plinth']],
  [
    'postgres://me:s,e@a:5432,[::1]:5433/plinth?sslmode=require',
    [
      'postgres://me:s,e@a:5432/plinth?sslmode=require',
      'postgres://me:s,e@[::1]:5433/plinth?sslmode=require',
    ],
  ],
  ['postgres:///plinth?host=a,b', ['postgres:///plinth?host=a', 'postgres:///plinth?host=b']],
  [
    'postgres://me@/plinth?host=a,b&port=1,2',
    ['postgres://me@/plinth?host=a&port=1', 'postgres://me@/plinth?host=b&port=2'],
  ],
  [
    'postgres:///plinth?host=a,b&port=7',
    ['postgres:///plinth?host=a&port=7', 'postgres:///plinth?host=b&port=7'],
  ],
])('%s', (url, hosts) => {
  expect(hostsOf(url)).toEqual(hosts);
});
