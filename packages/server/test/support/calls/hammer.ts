import { Client } from '../client.ts';

/** Calls the addresses in turn, twenty at a time; says how many were let through and how long the slowest took. */
export async function hammer(urls: readonly string[], apiKey: string, calls: number) {
  const statuses = new Set<number>();
  let passed = 0;
  let sent = 0;
  let slowestMs = 0;
  const caller = async () => {
    while (sent < calls) {
      const client = new Client(urls[sent % urls.length]!, { 'x-api-key': apiKey });
      sent += 1;
      const sentAt = performance.now();
      const { status } = await client.get('/collections');
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
      statuses.add(status);
      if (status === 200) passed += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, caller));
  return { passed, statuses, slowestMs };
}
