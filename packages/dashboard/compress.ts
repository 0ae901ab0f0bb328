// Beside each file of the build what browsers are really sent: made once, not for every visitor.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, 'dist');
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = join(folder, name);
  if (!/\.(js|css|html|svg)$/.test(name) || statSync(file).size < 512) continue;
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
}
