import { expect } from 'vitest';
import type { Client } from '../client.ts';

/** Makes a collection of so many documents. */
export async function fill(
  api: Client,
  name: string,
  count: number,
  make: (at: number) => Record<string, unknown>,
): Promise<string[]> {
  expect((await api.post('/collections', { name })).status).toBe(201);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1000) {
    const documents = Array.from({ length: Math.min(1000, count - at) }, (_, next) => make(at + next));
    const { status, body } = await api.post(`/collections/${name}/batch`, { documents });
    expect(status).toBe(201);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
  }
  return ids;
}

/** Waits until all indexes of a collection are built, and returns them. */
export async function untilBuilt(api: Client, name: string) {
  const list = async () => (await api.get(`/collections/${name}/indexes`)).body.data;
  await expect
    .poll(async () => (await list()).filter(({ state }: { state: string }) => state === 'building'), {
      interval: 100,
      timeout: 200_000,
    })
    .toEqual([]);
  return list();
}
