// Before `npm run dev` in a fresh checkout: the dashboard is built if it never was.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

if (!existsSync(join(import.meta.dirname, 'dist/index.html'))) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.exit(status ?? 1);
}
