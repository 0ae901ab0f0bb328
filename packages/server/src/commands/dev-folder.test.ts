import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimFolder } from './dev-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-dev-folder-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Higher than any number that a process can have. */
const dead = '99999999';

test.each([
  ['a folder that nobody has used', undefined],
  ['a folder that was left behind', dead],
  ['a folder that was left behind before the number was written', ''],
])('of two at once, one claims %s', async (_, left) => {
  for (let round = 0; round < 300; round += 1) {
    if (left !== undefined) await writeFile(join(folder, 'dev.pid'), left);
    const outcomes = await Promise.allSettled([claimFolder(folder), claimFolder(folder)]);
    const claims = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(claims).toHaveLength(1);
    expect(String(refusals[0]?.reason)).toContain(`Another plinth dev (process ${process.pid})`);
    expect(await readFile(join(folder, 'dev.pid'), 'utf8')).toBe(String(process.pid));
    await claims[0]?.value();
    expect(await readdir(folder)).toEqual([]);
  }
});
