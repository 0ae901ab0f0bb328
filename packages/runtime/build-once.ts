// Before `npm run dev` in a fresh checkout: what runs functions is built if it never was.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

if (!existsSync(join(import.meta.dirname, 'dist/runner.js'))) await import('./build.ts');
