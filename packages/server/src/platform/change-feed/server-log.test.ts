import { expect, test } from 'vitest';
import { readHistory, sharedUpTo } from './server-log.ts';

const history = `1\t0/3000158\tno recovery target specified

# by hand
2\t1/A0\tbefore 2026-11-18 02:00:00+00

`;

test('a log is shared up to where its timeline was left', () => {
  const earlier = readHistory(history);
  expect([...earlier]).toEqual([
    [1, 0x3000158n],
    [2, 0x1000000a0n],
  ]);
  const server = { system: 'a', timeline: 3, earlier };
  expect(sharedUpTo(server, { system: 'a', timeline: 3 }, 7n)).toBe(7n);
  expect(sharedUpTo(server, { system: 'a', timeline: 2 }, 7n)).toBe(0x1000000a0n);
  expect(sharedUpTo(server, { system: 'a', timeline: 4 }, 7n)).toBeUndefined();
  expect(sharedUpTo(server, { system: 'b', timeline: 3 }, 7n)).toBeUndefined();
});
