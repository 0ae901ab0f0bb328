// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, openBrowser, screenshot, type TestBrowser } from '../../support/browser.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let browser: TestBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser[Symbol.asyncDispose]());

const views = [
  { width: 'desktop', colorScheme: 'light' },
  { width: 'desktop', colorScheme: 'dark' },
  { width: 'phone', colorScheme: 'light' },
  { width: 'phone', colorScheme: 'dark' },
] as const;

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test.each(views)('the base address says where to go: $width, $colorScheme', async (view) => {
  const page = await browser.openPage(view);
  await page.goto(t.url);
  await screenshot(page, `home-${view.width}-${view.colorScheme}`);
  expect(await page.title()).toBe('Plinth');
  expect(await page.evaluate(overflow)).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.each([views[0], views[3]])('the reference can be read: $width, $colorScheme', async (view) => {
  const page = await browser.openPage(view);
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  for (const [hash, heading] of [
    ['', 'Plinth'],
    ['#tag/documents/POST/collections/{collection}', 'Create a document'],
    ['#tag/realtime/GET/realtime', 'Open a WebSocket for changes and rooms'],
  ] as const) {
    await page.goto(`${t.url}/docs${hash}`);
    await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    expect(await page.evaluate(overflow)).toBe(0);
  }
  expect(await page.title()).toBe('Plinth: API reference');
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/svg/);
  expect(faults).toEqual([]);
});

test('a call that the reference shows is as plain as it can be', async () => {
  const page = await browser.openPage();
  await page.goto(`${t.url}/docs#tag/documents/PATCH/collections/{collection}/{id}`);
  const shown = page.locator('section, div').filter({ hasText: 'Change some fields of a document' }).last();
  await shown.waitFor();
  const call = page.getByText(/^curl .*--request PATCH/s).first();
  await call.waitFor();
  expect(await call.textContent()).not.toMatch(/If-Match|X-Response-Format/);
  expect(await call.textContent()).toContain('X-API-Key');
});
