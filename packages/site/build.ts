// Builds the site into `dist`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'astro';
import { openApiFile } from './src/docs.ts';

const print = join(import.meta.dirname, '../../tools/openapi/print.ts');
const printed = execFileSync(process.execPath, ['--conditions=@plinth/source', print], {
  maxBuffer: 64 * 1024 * 1024,
});
mkdirSync(dirname(openApiFile), { recursive: true });
writeFileSync(openApiFile, printed);

process.env.ASTRO_TELEMETRY_DISABLED = '1';
// Set by tests that build a release; it would replace the base of all links.
delete process.env.BASE_URL;
// The root is the repository: Astro names styles after paths below it, and components of packages lie in its `node_modules`.
await build({
  root: join(import.meta.dirname, '../..'),
  configFile: 'packages/site/astro.config.ts',
  logLevel: 'error',
});
