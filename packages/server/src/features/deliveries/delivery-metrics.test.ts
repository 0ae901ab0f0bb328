import { expect, test } from 'vitest';
import { DeliveryMetrics } from './delivery-metrics.ts';

test('what became of deliveries is counted by outcome, and what waits by cell', async () => {
  const metrics = new DeliveryMetrics();
  metrics.noteSettled([{ fate: 'delivered' }, { fate: 'retried' }, { fate: 'delivered' }]);
  metrics.noteWaiting(1, [
    { count: 3, oldestAt: new Date(Date.now() - 60_000) },
    { count: 2, oldestAt: null },
  ]);
  metrics.noteWaiting(2, []);
  const [settled, waiting, oldest] = await Promise.all(metrics.gauges.map(({ read }) => read()));
  expect(Object.fromEntries(settled!)).toEqual({ delivered: 2, failed: 1, dead: 0 });
  expect(Object.fromEntries(waiting!)).toEqual({ 1: 5, 2: 0 });
  expect(oldest!.get('1')).toBeGreaterThanOrEqual(60);
  expect(oldest!.get('2')).toBe(0);
});
