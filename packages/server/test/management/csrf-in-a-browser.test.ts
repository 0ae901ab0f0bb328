// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInLinkFor } from '../../src/features/management/accounts/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { openBrowser, type Page, type TestBrowser } from '../support/browser.ts';
import { upload } from '../support/files/forms.ts';
import { servePage } from '../support/serve-page.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let browser: TestBrowser;
let page: Page;
/** As browsers call it. */
let service: string;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.openPage();
  service = t.url.replace('127.0.0.1', 'localhost');
  const token = await signInLinkFor(t.control, 'victim@example.com');
  await page.goto(`${service}/account/sign-in?token=${token}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
});
afterAll(() => browser?.[Symbol.asyncDispose]());

/** What a page can try with the cookie of whoever looks at it; each ends with what it could read, or why it could not. */
const attempts = (target: string): string => `(async () => {
  const url = ${JSON.stringify(target)} + '/management/projects';
  const body = '{"name":"stolen"}';
  const json = { 'content-type': 'application/json' };
  const tries = {
    read: [url, { credentials: 'include' }],
    readWithHeader: [url, { credentials: 'include', headers: { 'x-plinth-dashboard': '1' } }],
    write: [url, { method: 'POST', credentials: 'include', headers: { ...json, 'x-plinth-dashboard': '1' }, body }],
    simple: [url, { method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }],
    signOut: [url.replace('projects', 'session'), { method: 'DELETE', credentials: 'include', headers: { 'x-plinth-dashboard': '1' } }],
  };
  const results = {};
  for (const [name, [to, init]] of Object.entries(tries)) {
    try {
      const reply = await fetch(to, init);
      results[name] = reply.status + ' ' + (await reply.text()).slice(0, 200);
    } catch (error) {
      results[name] = String(error);
    }
  }
  return results;
})()`;

const forms = (target: string) => `
  <form id="json" method="post" enctype="text/plain" action="${target}/management/projects">
    <input name='{"name":"stolen","x":"' value='"}'></form>
  <form id="fields" method="post" action="${target}/management/projects"><input name="name" value="stolen"></form>
  <form id="page" method="post" action="${target}/account/sign-in"><input name="token" value="made-up"></form>`;

interface World {
  readonly changes: number;
  readonly sessions: number;
}

async function world(): Promise<World> {
  const [row] = await t.control.query<{ changes: number; sessions: number }>(sql`
    SELECT (SELECT count(*)::int FROM control.audit_log) AS changes,
      (SELECT count(*)::int FROM control.account_sessions) AS sessions`);
  return row!;
}

/** Runs every attempt where the browser is now; none reads or changes anything. */
async function expectPowerless(frame: Pick<Page, 'evaluate'>): Promise<void> {
  const before = await world();
  const results = await frame.evaluate<Record<string, string>>(attempts(service));
  for (const [name, result] of Object.entries(results))
    expect({ name, result }).toEqual({
      name,
      result: expect.stringMatching(/^(TypeError|403 .*origin_not_allowed|0 $)/),
    });
  expect(await world()).toEqual(before);
}

test('the dashboard’s own page may: what is tried below would work', async () => {
  await page.goto(`${service}/docs/`);
  const results = await page.evaluate<Record<string, string>>(attempts(service));
  expect(results.readWithHeader).toMatch(/^200 /);
  expect(results.write).toMatch(/^201 /);
  expect(results.signOut).toMatch(/^200 /);
  const token = await signInLinkFor(t.control, 'victim@example.com');
  await page.goto(`${service}/account/sign-in?token=${token}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
});

test.each([
  ['another site', (origin: string) => origin.replace('localhost', '127.0.0.1')],
  ['another port of the same site', (origin: string) => origin],
  ['another sub-domain', (origin: string) => origin.replace('localhost', 'evil.localhost')],
])('a page of %s reads and changes nothing', async (_what, named) => {
  await using app = await servePage(forms(service));
  const origin = named(app.origin);
  await page.goto(`${origin}/`);
  await expectPowerless(page);
  for (const form of ['json', 'fields', 'page']) {
    await page.goto(`${origin}/`);
    const before = await world();
    const answered = page.waitForResponse((response) => response.url().startsWith(service));
    await page.evaluate(`document.getElementById('${form}').submit()`);
    expect([form, (await answered).status()]).toEqual([form, 403]);
    await page.waitForURL(`${service}/**`);
    expect(await world()).toEqual(before);
  }
});

test('a page with the origin null reads and changes nothing', async () => {
  await using app = await servePage(
    `<iframe sandbox="allow-scripts allow-forms" srcdoc="${forms(service).replaceAll('"', '&quot;')}"></iframe>`,
  );
  await page.goto(`${app.origin}/`);
  const frame = page.frames()[1]!;
  expect(await frame.evaluate('origin')).toBe('null');
  await expectPowerless(frame);
  const before = await world();
  const answered = page.waitForResponse((response) => response.url().startsWith(service));
  await frame.evaluate(`document.getElementById('json').submit()`);
  expect((await answered).status()).toBe(403);
  await frame.waitForURL(`${service}/**`);
  expect(await world()).toEqual(before);
});

test('a page among the files of a project, on the same host, reads and changes nothing', async () => {
  const { api } = await t.createProject();
  const html = `<!doctype html><title>x</title><script>window.ran = true</script>${forms(service)}`;
  const seen: string[] = [];
  for (const name of ['a.html', 'a.svg', 'a.xml', 'a.txt']) {
    const { status, body } = await upload(api, name, html);
    if (status !== 201) {
      seen.push(`${name}: not taken`);
      continue;
    }
    const url = String(body.data.url).replace('127.0.0.1', 'localhost');
    // What is sent as a download is no page.
    const opened = await page.goto(url).catch(() => undefined);
    if (!opened) {
      seen.push(`${name}: a download`);
      continue;
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
    // No script of it runs; nor could one do anything that a debugger puts there.
    expect(await page.evaluate('origin')).toBe('null');
    await expectPowerless(page);
    seen.push(`${name}: powerless`);
  }
  expect(seen).toEqual(['a.html: not taken', 'a.svg: not taken', 'a.xml: not taken', 'a.txt: powerless']);
});
