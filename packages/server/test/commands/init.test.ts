// @postgres newest
// @needs chromium
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { accessibilityProblems, openBrowser, type Page } from '../support/browser.ts';
import { repository } from '../support/markdown.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';

const parent = await mkdtemp(join(tmpdir(), 'plinth-init-'));
const app = join(parent, 'todo-app');
afterAll(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }));

const plinth = (...args: string[]) => new PlinthProcess(args, {}, existsSync(app) ? app : parent);

test('init writes a folder, says what is next, and overwrites nothing', async () => {
  const { code, stdout } = await plinth('init', 'todo-app').ended;
  expect(code).toBe(0);
  expect(stdout).toContain('  cd todo-app\n  npm install\n  npm run dev\n');
  await writeFile(join(app, 'README.md'), 'mine');
  const again = await plinth('init').ended;
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('nothing was written'),
  });
  expect(await readFile(join(app, 'README.md'), 'utf8')).toBe('mine');
  expect((await plinth('init', 'a', 'b').ended).stderr).toContain('Pass only one folder');
});

test('its rules are as its table expects, and its page works in two windows', async () => {
  await symlink(join(repository, 'node_modules'), join(app, 'node_modules'));
  const dev = plinth('dev', '--json', '--port', '0');
  onTestFinished(async () => void (await dev.stop('SIGINT')));
  const { baseUrl } = JSON.parse(await dev.untilPrinted('stdout', /^(.+)\n/)) as { baseUrl: string };
  expect(await plinth('push').ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Done: 1 change'),
  });
  const rules = await plinth('test').ended;
  expect(rules, rules.stdout).toMatchObject({ code: 0 });

  const address = await servePage(baseUrl);
  await using browser = await openBrowser();
  const first = await browser.openPage();
  await first.goto(address);
  await enter(first, 'Sign up');
  await add(first, 'Tea');
  expect(await accessibilityProblems(first)).toEqual([]);
  const second = await browser.openPage();
  await second.goto(address);
  await enter(second, 'Log in');
  await second.getByText('Tea').waitFor();
  await add(second, 'Milk');
  await first.getByText('Milk').waitFor();
  await first.getByRole('checkbox', { name: 'Tea' }).check();
  await second.locator('li', { hasText: 'Tea' }).locator(':checked').waitFor();
  await second.getByRole('button', { name: 'Delete Tea' }).click();
  await first.getByText('Tea').waitFor({ state: 'detached' });
  await first.getByRole('button', { name: 'Log out' }).click();
  await first.getByLabel('Email').fill('ada@example.com');
  await first.getByLabel('Password').fill('not that one');
  await first.getByRole('button', { name: 'Log in' }).click();
  await first.getByRole('alert').filter({ hasText: /./ }).waitFor();
});

/** Vite as `npm run page` starts it, with the client from its source: it need not be built. */
async function servePage(baseUrl: string): Promise<string> {
  const config = {
    resolve: { conditions: ['@plinth/source', 'module', 'browser', 'development|production'] },
    server: { fs: { strict: false } },
    cacheDir: '.vite',
  };
  await writeFile(join(app, 'vite.config.js'), `export default ${JSON.stringify(config)};`);
  const vite = spawn(process.execPath, [join(repository, 'node_modules/vite/bin/vite.js'), '--port', '0'], {
    cwd: app,
    env: { PATH: process.env.PATH, VITE_PLINTH_URL: baseUrl, NO_COLOR: '1' },
  });
  onTestFinished(async () => {
    vite.kill();
    await once(vite, 'close');
  });
  let printed = '';
  for await (const text of vite.stdout.setEncoding('utf8')) {
    printed += text;
    const found = /http:\/\/localhost:\d+/.exec(printed);
    if (found) return found[0];
  }
  throw new Error(`Vite ended: ${printed}`);
}

async function enter(page: Page, how: 'Sign up' | 'Log in'): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: how }).click();
  await page.getByLabel('New item').waitFor();
}

async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel('New item').fill(text);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText(text).waitFor();
}
