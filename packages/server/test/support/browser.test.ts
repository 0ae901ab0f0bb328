// @postgres newest
// @needs chromium
import { expect, test } from 'vitest';
import { accessibilityProblems, openBrowser } from './browser.ts';

test('a page is opened at the width of a phone, and what is wrong with it is found', async () => {
  await using browser = await openBrowser();
  const page = await browser.openPage({ width: 'phone', colorScheme: 'dark' });
  const start =
    '<!doctype html><html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>';
  await page.setContent(`${start}</main></body></html>`);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate('[innerWidth, matchMedia("(prefers-color-scheme: dark)").matches]')).toEqual([
    expect.any(Number),
    true,
  ]);
  await page.setContent(`${start}<img src="data:,"></main></body></html>`);
  expect(await accessibilityProblems(page)).toEqual([expect.stringContaining('image-alt')]);
});
