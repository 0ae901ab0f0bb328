import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../dist');
const firstLoad = 150_000;
const lazyChunk = 120_000;

/** What a browser is sent of a file. */
const sizeOf = (name: string) =>
  statSync(join(folder, `${name}.gz`), { throwIfNoEntry: false })?.size ?? statSync(join(folder, name)).size;

test('the first load and every lazy part stay within their budgets', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = Array.from(
    page.matchAll(/\/dashboard\/(assets\/[^"]+\.(?:js|css))"/g),
    ([, name = '']) => name,
  );
  const size = first.reduce((sum, name) => sum + sizeOf(name), 0);
  console.log(`first load ${size} bytes gzip in ${first.length} files`);
  expect(first.length).toBeGreaterThan(1);
  expect(size).toBeLessThanOrEqual(firstLoad);
  const lazy = readdirSync(join(folder, 'assets')).filter(
    (name) => name.endsWith('.js') && !first.includes(`assets/${name}`),
  );
  for (const name of lazy)
    expect({ name, fits: sizeOf(`assets/${name}`) <= lazyChunk }).toEqual({ name, fits: true });
});
