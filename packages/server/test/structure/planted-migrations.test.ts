// @postgres newest
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../../tools/structure/check-migrations.ts', import.meta.url));

async function check(text: string, name = '9000_planted.sql') {
  const root = await mkdtemp(join(tmpdir(), 'plinth-migrations-'));
  try {
    const folder = join(root, 'packages/server/migrations/cell');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    return { status, printed: `${stdout}${stderr}` };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const sound = [
  'CREATE TABLE cell.pens (id bigint PRIMARY KEY);\nCREATE INDEX pens_id ON cell.pens (id);',
  'ALTER TABLE cell.documents ADD COLUMN hue text;',
  "ALTER TABLE cell.documents ADD COLUMN hue text NOT NULL DEFAULT 'red';",
  'ALTER TABLE cell.documents ADD CONSTRAINT hues CHECK (hue <> 1) NOT VALID;',
  'ALTER TABLE cell.change_feed DROP COLUMN hue;',
  '-- Outside a transaction.\nDROP INDEX CONCURRENTLY IF EXISTS cell.hues;\nCREATE INDEX CONCURRENTLY hues ON cell.documents (hue);',
];

test.each(sound)('is sound: %s', async (text) => {
  const { status, printed } = await check(text);
  expect(printed).toContain('✔ 1 migrations');
  expect(status).toBe(0);
});

const violations: [text: string, rule: string][] = [
  ['CREATE INDEX hues ON cell.documents (hue);', 'indexes-are-built-beside-writes'],
  ['CREATE UNIQUE INDEX hues\n  ON cell.app_users (hue);', 'indexes-are-built-beside-writes'],
  ['CREATE INDEX CONCURRENTLY hues ON cell.documents (hue);', 'indexes-are-built-beside-writes'],
  [
    '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY hues ON cell.documents (hue);',
    'indexes-are-built-beside-writes',
  ],
  ['-- Outside a transaction.\nALTER TABLE cell.documents ADD COLUMN hue text;', 'steps-can-be-repeated'],
  ['ALTER TABLE cell.documents DROP COLUMN data;', 'migrations-only-add'],
  ['ALTER TABLE cell.documents RENAME COLUMN data TO body;', 'migrations-only-add'],
  ['ALTER TABLE cell.documents ALTER COLUMN bytes TYPE bigint;', 'migrations-only-add'],
  ['ALTER TABLE cell.documents ALTER COLUMN bytes SET NOT NULL;', 'migrations-only-add'],
  ['ALTER TABLE cell.documents ADD COLUMN hue text NOT NULL;', 'migrations-only-add'],
  ['ALTER TABLE cell.files ADD COLUMN hue uuid DEFAULT gen_random_uuid();', 'migrations-only-add'],
  ['ALTER TABLE cell.files ADD CONSTRAINT hues CHECK (hue <> 1);', 'migrations-only-add'],
  ['ALTER TABLE cell.files ADD CONSTRAINT hues UNIQUE (hue);', 'migrations-only-add'],
  ['DROP TABLE cell.sessions;', 'migrations-only-add'],
];

test.each(violations)('is found: %s', async (text, rule) => {
  const { status, printed } = await check(text);
  expect(printed).toContain(`error ${rule}: cell/9000_planted.sql`);
  expect(status).toBe(1);
});

test('what came before the rules is left as it is', async () => {
  expect((await check('DROP TABLE cell.sessions;', '0001_planted.sql')).status).toBe(0);
});
