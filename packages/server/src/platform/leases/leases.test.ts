import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Leases } from './leases.ts';

test('a wait ends when the lease is taken, lost and taken again, or no longer wanted', async () => {
  const leases = new Leases();
  const lease = leases.want('relay');
  const stopping = new AbortController();
  const first = lease.held(stopping.signal);
  leases.take(['relay']);
  const lost = await first;
  expect(lost?.aborted).toBe(false);
  leases.loseAll();
  expect(lost?.aborted).toBe(true);
  const second = lease.held(stopping.signal);
  leases.take(['relay']);
  expect((await second)?.aborted).toBe(false);
  leases.loseAll();
  const third = lease.held(stopping.signal);
  stopping.abort();
  expect(await third).toBeUndefined();
});

test('waits that are over leave nothing behind', async () => {
  const lease = new Leases().want('relay');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const wait = async () => {
    const pause = new AbortController();
    const held = lease.held(pause.signal);
    pause.abort();
    await held;
  };
  const kept = async (waits: number) => {
    for (let n = 0; n < waits; n += 1) await wait();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await kept(5000);
  expect((await kept(50_000)) - before).toBeLessThan(5_000_000);
});
