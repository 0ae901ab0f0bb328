// @postgres newest
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

type Files = Readonly<Record<string, string>>;

/** A small service in the layout of the real one, breaking no rule. */
const sound: Files = {
  'protocol/src/index.ts': `export type Code = 'a' | 'b';`,
  'server/src/main.ts': `import './node/node.ts';`,
  'server/src/node/node.ts': `import { addPens } from '../features/data/index.ts';\naddPens();`,
  'server/src/platform/clock.ts': `export const now = () => Date.now();`,
  'server/src/calls/index.ts': `export { ok } from './answer.ts';`,
  'server/src/calls/answer.ts': `export const ok = 200;`,
  'server/src/features/data/index.ts': `export { addPens } from './pens/index.ts';`,
  'server/src/features/data/pens/index.ts': `export { addPens } from './routes.ts';`,
  'server/src/features/data/pens/routes.ts': `import { ok } from '../../../calls/index.ts';\nimport { countPens } from './count-pens.ts';\nexport const addPens = () => countPens() + ok;`,
  'server/src/features/data/pens/count-pens.ts': `import { findPens } from './pen-store.ts';\nimport { inks } from '../inks/index.ts';\nexport const countPens = () => findPens().length + inks.length;`,
  'server/src/features/data/pens/pen-store.ts': `import { now } from '../../../platform/clock.ts';\nexport const findPens = () => [now()];`,
  'server/src/features/data/inks/index.ts': `export { inks } from './ink.ts';`,
  'server/src/features/data/inks/ink.ts': `import { paper } from '../../files/index.ts';\nexport interface Ink { hue: number }\nexport const inks: Ink[] = [{ hue: paper }];`,
  'server/src/features/files/index.ts': `export { paper } from './sheets/index.ts';`,
  'server/src/features/files/sheets/index.ts': `export const paper = 1;`,
};

/** The words of `npm run check:structure`, to be run in another folder. */
function checkCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [node, ...words] = scripts['check:structure']!.split(' ');
  expect(node).toBe('node');
  return words.map((word) => (/^(\.\/)?(tools|node_modules)\//.test(word) ? join(repository, word) : word));
}

/** Runs the check on a tree of its own. */
async function check(planted: Files): Promise<{ code: number; printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-structure-'));
  try {
    for (const [path, content] of Object.entries({ ...sound, ...planted })) {
      const file = join(folder, 'packages', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${content}\n`);
    }
    const run = spawn(process.execPath, checkCommand(), {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [code]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
    return { code: code as number, printed: stripVTControlCharacters(printed) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a sound tree passes, and every file of it is looked at', async () => {
  const { code, printed } = await check({});
  expect(printed).toContain(`(${Object.keys(sound).length} modules,`);
  expect(code).toBe(0);
});

const doorless = `../inks/ink.ts`;

const violations: [what: string, rule: string, planted: Files][] = [
  [
    'the platform importing a feature',
    'platform-knows-no-feature',
    {
      'server/src/platform/pen-clock.ts': `import { inks } from '../features/data/inks/index.ts';\ninks.pop();`,
    },
  ],
  [
    'a feature importing past a door',
    'features-meet-at-their-doors',
    { 'server/src/features/data/pens/fill.ts': `import { inks } from '${doorless}';\ninks.pop();` },
  ],
  [
    'a feature importing a type past a door',
    'features-meet-at-their-doors',
    {
      'server/src/features/data/pens/fill.ts': `import type { Ink } from '${doorless}';\nexport type Fill = Ink;`,
    },
  ],
  [
    'a type named past a door without an import statement',
    'features-meet-at-their-doors',
    { 'server/src/features/data/pens/fill.ts': `export type Fill = import('${doorless}').Ink;` },
  ],
  [
    'everything re-exported past a door',
    'features-meet-at-their-doors',
    { 'server/src/features/data/pens/fill.ts': `export * from '${doorless}';` },
  ],
  [
    'calls importing a feature',
    'calls-know-no-feature',
    {
      'server/src/calls/answer.ts': `import { paper } from '../features/files/index.ts';\nexport const ok = paper;`,
    },
  ],
  [
    'a feature importing calls past their door',
    'calls-have-doors',
    { 'server/src/features/data/pens/fill.ts': `export { ok } from '../../../calls/answer.ts';` },
  ],
  [
    'a wing importing one that it may not know',
    'wings-know-few-others',
    {
      'server/src/features/files/sheets/index.ts': `export { addPens as paper } from '../../data/index.ts';`,
    },
  ],
  [
    'a wing importing another past its door',
    'wings-meet-at-their-doors',
    { 'server/src/features/data/pens/fill.ts': `export { paper } from '../../files/sheets/index.ts';` },
  ],
  [
    'the composition root importing past a door',
    'the-top-uses-doors-too',
    { 'server/src/node/node.ts': `import { inks } from '../features/data/inks/ink.ts';\ninks.pop();` },
  ],
  [
    'a feature importing the composition root',
    'features-do-not-know-the-top',
    { 'server/src/features/data/pens/fill.ts': `import '../../../main.ts';` },
  ],
  [
    'routes importing a store',
    'routes-do-not-touch-stores',
    {
      'server/src/features/data/pens/routes.ts': `import { findPens } from './pen-store.ts';\nexport const addPens = findPens;`,
    },
  ],
  [
    'a store importing routes',
    'stores-are-the-bottom-of-a-feature',
    {
      'server/src/features/data/pens/pen-store.ts': `import './routes.ts';\nexport const findPens = () => [];`,
    },
  ],
  [
    'a cycle',
    'no-cycle',
    {
      'server/src/platform/left.ts': `import { right } from './right.ts';\nexport const left = () => right;`,
      'server/src/platform/right.ts': `import { left } from './left.ts';\nexport const right = () => left;`,
    },
  ],
  [
    'a cycle of types alone',
    'no-cycle',
    {
      'server/src/platform/left.ts': `import type { Right } from './right.ts';\nexport interface Left { right: Right }`,
      'server/src/platform/right.ts': `import type { Left } from './left.ts';\nexport interface Right { left: Left }`,
    },
  ],
  [
    'the protocol importing the server',
    'protocol-stands-alone',
    { 'protocol/src/time.ts': `export { now } from '../../server/src/platform/clock.ts';` },
  ],
  [
    'the dashboard importing the server',
    'dashboard-speaks-the-wire',
    { 'dashboard/src/time.ts': `export { now } from '../../server/src/platform/clock.ts';` },
  ],
  [
    'a folder called utils that is imported',
    'no-drawer-of-odds-and-ends',
    {
      'server/src/utils/pad.ts': `export const pad = 1;`,
      'server/src/platform/padded.ts': `export { pad } from '../utils/pad.ts';`,
    },
  ],
  [
    'a folder called utils that only imports, as a test would',
    'no-drawer-of-odds-and-ends',
    { 'server/test/utils/clock.test.ts': `import { now } from '../../src/platform/clock.ts';\nnow();` },
  ],
  [
    'code importing a test',
    'code-does-not-import-tests',
    {
      'server/test/fake-clock.ts': `export const fake = 1;`,
      'server/src/platform/faked.ts': `export { fake } from '../../test/fake-clock.ts';`,
    },
  ],
  [
    'an import that leads nowhere',
    'resolvable',
    { 'server/src/platform/lost.ts': `export { lost } from './nowhere.ts';` },
  ],
];

test.each(violations)('%s fails the check', async (_what, rule, planted) => {
  const { code, printed } = await check(planted);
  expect(printed).toContain(`error ${rule}:`);
  expect(code).not.toBe(0);
});

test('every rule there is has a violation planted here', () => {
  const { forbidden } = createRequire(import.meta.url)('../../../../tools/structure/rules.cjs') as {
    forbidden: { name: string }[];
  };
  const planted = new Set(violations.map(([, rule]) => rule));
  expect(forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
});
