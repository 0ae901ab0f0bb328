// @postgres newest
// @needs chromium
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, openBrowser, screenshot, type TestBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';
import { DevFolder, type DevLine } from './dev-folder.ts';

let folder: DevFolder;
let line: DevLine;
let browser: TestBrowser;
beforeAll(async () => {
  folder = await DevFolder.make();
  ({ line } = await folder.start());
  browser = await openBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('with no message yet the page says what will be there', async () => {
  const page = await browser.openPage({});
  await page.goto(`${line.baseUrl}/dev/mail`);
  expect(await page.textContent('main')).toContain('Nothing has been sent yet');
});

test('a sign-up’s mail is shown, as it looks and as text, and its page has nothing that could do harm', async () => {
  const door = new Client(line.projectUrl);
  const email = 'sam@example.com';
  expect((await door.post('/auth-collections/signup', { email, password: 'correct horse' })).status).toBe(
    201,
  );
  const page = await browser.openPage({ width: 'desktop' });
  const entry = page.getByRole('link', { name: /Welcome/ });
  await expect
    .poll(async () => {
      await page.goto(`${line.baseUrl}/dev/mail`);
      return entry.count();
    })
    .toBe(1);
  await entry.click();
  expect(await page.textContent('main')).toContain(email);
  const shown = page.frameLocator('iframe').locator('body');
  expect(await shown.textContent()).toContain('My first project');
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'dev-mail-desktop');
  const phone = await browser.openPage({ width: 'phone', colorScheme: 'dark' });
  await phone.goto(page.url());
  const box = await phone.getByRole('heading', { level: 2 }).first().boundingBox();
  expect(box!.y).toBeLessThan(100);
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await screenshot(phone, 'dev-mail-phone-dark');
});

test('another site that points its name here is shown nothing', async () => {
  const { port } = new URL(line.baseUrl);
  const { status } = await calledWith(Number(port), { host: `evil.example:${port}` });
  expect(status).toBe(404);
});

test('minor: a proxy or tunnel on this machine is shown nothing, even if it calls it localhost', async () => {
  const { port } = new URL(line.baseUrl);
  const host = `localhost:${port}`;
  expect((await calledWith(Number(port), { host })).status).toBe(200);
  for (const sign of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect((await calledWith(Number(port), { host, [sign]: '203.0.113.7' })).status).toBe(404);
  const nginx = await wireText(Number(port), `GET /dev/mail HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  expect(nginx).toMatch(/^HTTP\/1\.1 404 /);
});

test('commands without DATABASE_URL find the plinth dev of their folder', async () => {
  const place = await mkdtemp(join(tmpdir(), 'plinth-app-'));
  await symlink(folder.path, join(place, '.plinth'));
  await using listing = new PlinthProcess(['project', 'list'], { SECRET_KEY: '' }, place);
  const { stdout, stderr } = await listing.ended;
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(line.projectRef), stderr: '' });
  await rm(place, { recursive: true });
});

/** A call to this machine under the name that is given, as of a browser whose DNS was told that it is there. */
async function calledWith(port: number, headers: Record<string, string>): Promise<{ status: number }> {
  return new Promise((answered, failed) => {
    request({ host: '127.0.0.1', port, path: '/dev/mail', headers }, (response) => {
      response.resume();
      answered({ status: response.statusCode! });
    })
      .on('error', failed)
      .end();
  });
}

/** What is answered to a call that is written letter by letter. */
async function wireText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
