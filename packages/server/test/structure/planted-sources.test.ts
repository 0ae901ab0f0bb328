// @postgres newest
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

type Files = Readonly<Record<string, string>>;

/** A small service that keeps to its tables, keeps no state and guards its handlers. */
const sound: Files = {
  'platform/ids.ts': 'let last = 0;\nexport const newId = () => (last += 1);',
  'platform/db/pool.ts': 'export const check = () => sql`SELECT 1`;',
  'features/data/pens/tables.ts':
    "export const penTables = [{ name: 'cell.pens', key: ['id'], rowsOf: 'project' }];",
  'features/data/pens/pen-store.ts': 'export const find = () => sql`SELECT FROM cell.pens`;',
  'features/data/pens/hues.ts':
    "const hues = new Map([['red', 1]]);\nexport const known = new Set(['a']);\nexport const hueOf = (name: string) => hues.get(name);",
  'features/data/inks/tables.ts':
    "export const inkTables = [{ name: 'cell.inks', key: ['id'], rowsOf: 'project', after: ['cell.pens'] }];",
  'features/data/pens/refill.ts':
    "export const refill = (pen: Pen, log: Log) => {\n  pen.on('error', () => {}).once('empty', guarded(fail, () => pen.fill()));\n  const look = guarded(fail, () => pen.look());\n  pen.on('dry', look);\n  pen.on('leak', (error) => log.warn(error));\n  setTimeout(() => pen.destroy(), 10);\n};",
  'commands/write.ts': "process.on('SIGTERM', () => stop());",
  'features/data/query/compile.ts': 'export const compile = () => sql`true`;',
};

async function check(planted: Files): Promise<{ status: number | null; printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-sources-'));
  try {
    for (const [path, content] of Object.entries({ ...sound, ...planted })) {
      const file = join(folder, 'packages/server/src', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${content}\n`);
    }
    const script = join(repository, 'tools/structure/check-source.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { status, printed: `${stdout}${stderr}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a sound tree passes, and every file of it is looked at', async () => {
  const { status, printed } = await check({});
  expect(printed).toContain(`✔ ${Object.keys(sound).length} sources`);
  expect(status).toBe(0);
});

const violations: [what: string, rule: string, planted: Files][] = [
  [
    'SQL that names a table of another feature',
    'tables-are-named-by-their-owner',
    { 'features/data/inks/store.ts': 'export const find = () => sql`SELECT FROM cell.inks JOIN cell.pens`;' },
  ],
  [
    'the platform naming a table of a feature',
    'tables-are-named-by-their-owner',
    { 'platform/db/sweep.ts': 'export const sweep = () => sql`DELETE FROM cell.pens`;' },
  ],
  [
    'SQL outside stores',
    'sql-stands-in-stores',
    { 'features/data/pens/count-pens.ts': 'export const count = () => sql`SELECT count(*) FROM cell.pens`;' },
  ],
  [
    'SQL in the node',
    'sql-stands-in-stores',
    { 'node/housekeeping.ts': 'export const tidy = () => sql`SELECT 1`;' },
  ],
  [
    'a variable of a module',
    'modules-keep-no-state',
    { 'features/data/pens/count.ts': 'let count = 0;\nexport const add = () => (count += 1);' },
  ],
  [
    'an exported variable of a module',
    'modules-keep-no-state',
    { 'features/data/pens/count.ts': 'export let count = 0;' },
  ],
  [
    'a cache of a module',
    'modules-keep-no-state',
    {
      'features/data/pens/cache.ts':
        'const cache = new WeakMap<object, Map<string, number>>();\nexport const get = (key: object) => cache.get(key);',
    },
  ],
  [
    'a queue of a module',
    'modules-keep-no-state',
    {
      'features/data/pens/queue.ts':
        'const queue: (() => void)[] = [];\nexport const add = (work: () => void) => queue.push(work);',
    },
  ],
  [
    'a handler of a socket that nobody guards',
    'handlers-are-guarded',
    {
      'features/data/pens/listen.ts':
        "export const listen = (pen: Pen) => pen.on('message', (text) => take(text));",
    },
  ],
  [
    'a handler by its name, on another line',
    'handlers-are-guarded',
    {
      'platform/bus/listen.ts':
        "export const listen = (bus: Bus) =>\n  bus.once(\n    'message',\n    take,\n  );",
    },
  ],
  [
    'a timer that nobody guards',
    'handlers-are-guarded',
    { 'node/tidy.ts': 'export const begin = () => setInterval(() => void tidy(), 1000);' },
  ],
  [
    'an engine of a module',
    'modules-keep-no-state',
    { 'calls/lists.ts': 'export const lists = new SingleFlight<string>();' },
  ],
];

test.each(violations)('%s fails the check', async (_what, rule, planted) => {
  const { status, printed } = await check(planted);
  expect(printed).toContain(`error ${rule}:`);
  expect(status).not.toBe(0);
});
