import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const kb = 1024;

/** What an app ships of a module, minified and compressed. */
async function sizeOf(module: string): Promise<number> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../src', module),
    platform: 'browser',
    resolve: { conditionNames: ['@plinth/source', 'import'] },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return gzipSync(output.map((part) => ('code' in part ? part.code : '')).join(''), { level: 9 }).length;
}

test('documents and queries take at most 5 kB', async () => {
  const size = await sizeOf('index.ts');
  console.log(`core: ${size} bytes, minified and gzipped`);
  expect(size).toBeLessThanOrEqual(5 * kb);
});
