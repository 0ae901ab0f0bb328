// @needs chromium
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDevService } from '../../dashboard/test/dev-service.ts';
import { newVisitor, type Visitor } from '../../dashboard/test/visitor.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { testApp } from '../../server/test/support/test-app.ts';
import { brokenLinks } from '../broken-links.ts';
import { inSidebar, readDocs } from '../src/docs.ts';
import { pageAddress, rewriteLinks, slugOf } from '../src/links.ts';

const folder = join(import.meta.dirname, '../dist');
const docs = readDocs();
/** Looking at every page takes minutes: `npm run test:site`. */
const looksAtAll = process.env.PLINTH_TEST_PAGES === 'all';

describe('what `npm run site` has built', () => {
  test('has every page of docs, with its twin, and lists it', () => {
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8');
    const all = readFileSync(join(folder, 'llms-full.txt'), 'utf8');
    for (const { page, title } of docs) {
      const slug = slugOf(page) || 'index';
      const html = join(folder, slug === 'index' ? '' : slug, 'index.html');
      expect(existsSync(html), page).toBe(true);
      expect(readFileSync(join(folder, `${slug}.md`), 'utf8').startsWith(`# ${title}\n`), page).toBe(true);
      expect(list).toContain(`(/guide/${slug}.md)`);
      expect(all).toContain(`# ${title}\n`);
    }
  });

  test('names no script, style, font or picture of another host', () => {
    for (const file of globSync('**/*.{html,css}', { cwd: folder })) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text, file).not.toMatch(/(\ssrc="|<link[^>]*href="|url\(["']?)(https?:)?\/\//);
    }
  });

  test('a link to a page, a part or a file that is not there would have failed the build', () => {
    const html =
      '<h2 id="there"></h2><a href="#there"><a href="#gone"><a href="/guide/nowhere/"><img src="x.png">';
    expect(brokenLinks(folder, new Map([['index.html', html]]))).toEqual([
      'index.html: #gone',
      'index.html: /guide/nowhere/',
      'index.html: x.png',
    ]);
    expect(() => rewriteLinks('[x](../gone.ts)', 'start', new Map(), pageAddress)).toThrow('not there');
  });

  test('a page that is not in the sidebar would have, and one that is only there', () => {
    const [first] = docs;
    expect(() => inSidebar([...docs, { ...first!, page: 'new', isGenerated: false }])).toThrow(
      'Not in the sidebar',
    );
    expect(() => inSidebar(docs.filter(({ page }) => page !== 'start'))).toThrow('lists start');
  });
});

test('a node in production does not serve it', async () => {
  await using t = await testApp();
  expect((await fetch(`${t.url}/guide/`)).status).toBe(404);
});

describe.skipIf(isMissing('chromium'))('the guide of `plinth dev`', () => {
  let dev: Awaited<ReturnType<typeof startDevService>>;
  let guide: string;
  let ada: Visitor;
  const hosts = new Set<string>();
  beforeAll(async () => {
    dev = await startDevService();
    guide = new URL('/guide/', dev.projectUrl).href;
    ada = await newVisitor(guide);
    ada.page.on('request', (request) => hosts.add(new URL(request.url()).host));
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await dev?.[Symbol.asyncDispose]();
  });

  test('is answered with its policy, Markdown, and 404 for what is not there', async () => {
    const page = await fetch(new URL('/guide/start', guide));
    expect([page.status, page.url]).toEqual([200, `${guide}start/`]);
    expect(page.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    const [, policy = ''] =
      /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(await page.text()) ?? [];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-/);
    expect(policy).not.toMatch(/http|\*|script-src[^;]*'unsafe-inline'/);
    const twin = await fetch(`${guide}start.md`);
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const path of ['nowhere/', '..%2fpackage.json', '%2e%2e/package.json', '_astro/', 'pagefind'])
      expect((await fetch(guide + path)).status, path).toBe(404);
  });

  test.each(
    docs
      .filter(({ page }) => looksAtAll || ['README', 'recipes/likes', 'http/links'].includes(page))
      .map(({ page, title }) => [slugOf(page) && `${slugOf(page)}/`, title] as const),
  )('%s can be read on every screen, without eyes or a mouse', async (path, heading) => {
    await ada.page.goto(guide + path);
    await ada.see(`guide-${path.replaceAll('/', '-')}`, heading);
  });

  test.each([
    ['reset password', 'auth'],
    ['sign in with Google', 'auth'],
    ['two-factor authentication', 'auth'],
    ['delete a user and their data', 'recipes/gdpr'],
    ['why is my request denied', 'rules'],
    ['how do I upload an image', 'files'],
    ['full text search', 'queries'],
    ['pagination cursor', 'queries'],
    ['unique email field', 'indexes'],
    ['websocket', 'realtime'],
    ['offline', 'recipes/offline-list'],
    ['like button counter', 'recipes/likes'],
    ['run a function every night', 'schedules'],
    ['Stripe webhook', 'functions'],
    ['typescript types', 'client'],
    ['migrate from Firebase', 'coming-from'],
    ['CORS origin not allowed', 'projects'],
    ['rate limit', 'limits'],
    ['docker compose', 'deploy'],
    ['back up the database', 'backup'],
  ])('asked for “%s”, the search shows %s on its first page', async (words, path) => {
    const { page } = ada;
    await page.goto(guide);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('textbox', { name: 'Search' }).fill(words);
    const found = page.getByRole('dialog').locator(`a[href^="/guide/${path}/"]`);
    await found.first().waitFor();
  });

  test('the search is there on a machine that is never idle', async () => {
    const { page } = ada;
    const neverIdle = await page.addInitScript(
      'window.requestIdleCallback = (run, { timeout } = {}) => timeout && setTimeout(run, timeout)',
    );
    await page.goto(guide);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
    await neverIdle.dispose();
  });

  test('reading uses up nothing of what an address may ask', async () => {
    for (let asked = 0; asked < 1200; asked += 50) {
      const some = Array.from({ length: 50 }, () =>
        fetch(new URL('start.md', guide)).then(({ status }) => status),
      );
      expect(new Set(await Promise.all(some))).toEqual(new Set([200]));
    }
  });

  test('what the search finds can be opened', async () => {
    const { page } = ada;
    await page.goto(guide);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('textbox', { name: 'Search' }).fill('presence');
    await page.getByRole('dialog').getByRole('link', { name: 'Chat with presence' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Chat with presence' }).waitFor();
    expect(page.url()).toContain('/guide/recipes/chat/');
  });

  test('dark is chosen, and stays', async () => {
    const { page } = ada;
    await page.goto(guide);
    await page.getByLabel('Select theme').filter({ visible: true }).selectOption('dark');
    await page.goto(`${guide}queries/`);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  test('nothing was asked of another host', () => {
    expect([...hosts]).toEqual([new URL(guide).host]);
  });
});
