import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('layout.ts is what tools/mail/layout.mjml makes of it', () => {
  const build = fileURLToPath(new URL('../../../../../../tools/mail/build-layout.ts', import.meta.url));
  const printed = execFileSync(process.execPath, [build], { encoding: 'utf8' });
  expect(readFileSync(new URL('layout.ts', import.meta.url), 'utf8')).toBe(printed);
});
