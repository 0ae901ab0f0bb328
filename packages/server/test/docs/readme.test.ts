// @postgres newest
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { isMissing } from '../support/is-missing.ts';
import { blocksOf, readPage, repository } from '../support/markdown.ts';
import { expectAnswers, runScript } from '../support/shell-example.ts';

const [start, variables, ...parts] = blocksOf(readPage('README.md'))
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);
const calls = parts.join('\n');

/** What a reader's terminal has: none of what the test runner or npm put there. */
const terminal = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST|REDIS_URL)/i.test(name)),
);
terminal.PATH = terminal
  .PATH!.split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');

/** Set by `npm run test:readme`: where the package was installed, where Node is, and who follows the README. */
const { PLINTH_TEST_INSTALLED: installed, PLINTH_TEST_NODE: node, PLINTH_TEST_READER: reader } = process.env;
if (node !== undefined) terminal.PATH = `${node}:${terminal.PATH}`;

/** The command, as another user if somebody else reads. */
function asReader(command: string): [string, string[]] {
  const shell = ['bash', '-c', command];
  if (reader === undefined) return ['bash', shell.slice(1)];
  const whose = [`--reuid=${reader}`, `--regid=${reader}`, '--clear-groups'];
  return ['setpriv', [...whose, 'env', `HOME=${folder}`, ...shell]];
}

let folder: string;
let dev: ChildProcess;
let started = '';
let complaint = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-readme-'));
  const command = start!.split('\n').filter((line) => !/^(git clone|npm ci)\b/.test(line));
  expect(command).toEqual(['npm run dev']);
  if (reader !== undefined) await chown(folder, Number(reader), Number(reader));
  const begin = installed === undefined ? `${command[0]} --` : 'npx plinth dev';
  // A port and a folder of its own: the reader's may be in use.
  dev = spawn(...asReader(`${begin} --port 0 --data-dir ${folder}/data`), {
    cwd: installed ?? repository,
    env: terminal,
    // A process group of its own, so that it can be sent what Ctrl-C sends.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  dev.stderr!.on('data', (piece: Buffer) => {
    complaint += String(piece);
  });
  await new Promise<void>((ready, fail) => {
    dev.stdout!.on('data', (piece: Buffer) => {
      started += String(piece);
      if (/^ {2}Reference /m.test(started)) ready();
    });
    dev.once('exit', () => fail(new Error(`npm run dev ended:\n${started}${complaint}`)));
  });
});

afterAll(async () => {
  if (dev?.pid !== undefined && dev.exitCode === null) {
    const ended = once(dev, 'exit');
    process.kill(-dev.pid, 'SIGINT');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

const baseUrl = () => /Base URL +(\S+)/.exec(started)![1]!;

test('the first minute of the README works word for word, and each answer is as shown', async () => {
  expect(variables!.split('\n')).toEqual(['BASE=http://localhost:4400', 'KEY=plk_…']);
  const BASE = baseUrl();
  const KEY = /API key +(plk_\S+)/.exec(started)![1]!;
  const printed = await runScript(calls, { ...terminal, BASE, KEY }, folder);
  expect(expectAnswers(printed, calls)).toBeGreaterThanOrEqual(7);
});

test.skipIf(isMissing('chromium'))('its page shows the books, from whatever port it is served', async () => {
  const html = blocksOf(readPage('README.md')).find(({ language }) => language === 'html')!.text;
  const page = html.replace('http://localhost:4400', baseUrl());
  await using server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await using browser = await openBrowser();
  const window = await browser.openPage();
  await window.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await window.getByRole('listitem').first().waitFor();
  expect(await window.getByRole('listitem').allTextContents()).toEqual(['Kindred', 'Ubik', 'Emma']);
});
