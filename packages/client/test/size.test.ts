import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sizeOf } from './sizes/size-of.ts';

const kb = 1024;
const at = (path: string) => join(import.meta.dirname, path);

test('documents and queries take at most 5 kB', async () => {
  const { first } = await sizeOf(at('sizes/core.ts'));
  console.log(`core: ${first} bytes, minified and gzipped`);
  expect(first).toBeLessThanOrEqual(5 * kb);
});

test('all that comes with the page takes at most 10 kB', async () => {
  const { first, lazy } = await sizeOf(at('../src/index.ts'));
  console.log(`all but lazy parts: ${first} bytes; lazy: ${JSON.stringify(lazy)}`);
  expect(first).toBeLessThanOrEqual(10 * kb);
  const most: Record<string, number> = { 'live-side': 4.5 * kb, offline: 5 * kb };
  for (const [name, size] of Object.entries(lazy))
    expect(size, name).toBeLessThanOrEqual(most[name] ?? 1.5 * kb);
});

test('the hooks of React take at most 1.5 kB', async () => {
  const { first } = await sizeOf(at('../../react/src/index.ts'), ['react', '@plinth/client']);
  console.log(`react: ${first} bytes`);
  expect(first).toBeLessThanOrEqual(1.5 * kb);
});
