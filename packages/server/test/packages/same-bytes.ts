// npm run test:packages: makes a release of what is here twice, and compares its bytes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitCopy, release, requireThat } from './release-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'plinth-same-bytes-'));
try {
  const source = await commitCopy(folder);
  const first = await release(source, join(folder, 'first'));
  requireThat(
    first === (await release(source, join(folder, 'second'))),
    'two releases of one commit have the same bytes',
  );
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
