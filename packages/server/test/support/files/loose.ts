import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../test-app.ts';

/** Waits until the service has removed all bytes that no file records; they go right after the call they belong to. */
export async function untilNoLooseBytes(t: TestApp): Promise<void> {
  for (let tries = 0; tries < 2400; tries += 1) {
    if ((await looseTrees(t)).length === 0) return;
    await sleep(25);
  }
  throw new Error(`Bytes without a record: ${(await looseTrees(t)).join(', ')}`);
}

async function looseTrees(t: TestApp): Promise<string[]> {
  const trees: string[] = [];
  for (const number of t.cells.numbers) {
    const { rows } = await t.cells.pool(number).query(
      // What was sent to the address of a direct upload goes when that has expired, never before.
      `SELECT tree FROM cell.loose_blobs WHERE tree NOT LIKE '%-incoming'`,
    );
    trees.push(...rows.map(({ tree }) => tree as string));
  }
  return trees;
}
