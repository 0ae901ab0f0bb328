// @postgres newest
// @needs chromium
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Language,
  renderMail,
  type TemplateName,
} from '../../../src/features/people/mail-texts/index.ts';
import { accessibilityProblems, openBrowser, screenshot, type TestBrowser } from '../../support/browser.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser[Symbol.asyncDispose]());

const variables = {
  email: 'ada.lovelace@example.com',
  name: 'Ada Lovelace',
  frontend_url: 'https://app.example.com',
  login_url: 'https://app.example.com/login',
  link: `https://app.example.com/account/continue?token=${'aB3_'.repeat(11)}&project=abcdefghij`,
  code: '4071926538',
  minutes: 10,
  hours: 24,
  time: '2026-05-06T14:05:09.000Z',
  device: 'Firefox, Windows',
  address: '2001:db8:4006:812::200e',
};

const mails: [TemplateName, Language][] = [
  ['verification', 'de'],
  ['password-reset', 'fr'],
  ['two-step-code', 'es'],
];
const windows = [
  { size: 'desktop', width: 600, height: 800 },
  { size: 'phone', width: 390, height: 844 },
  { size: 'phone', width: 320, height: 568 },
] as const;
const schemes = ['light', 'dark'] as const;

test.each(mails)('a "%s" mail (%s) can be read everywhere', async (template, language) => {
  const { html } = renderMail({ template, language, variables, appName: 'Orchard & Sons' });
  for (const { size, ...viewport } of windows) {
    for (const colorScheme of schemes) {
      const page = await browser.openPage({ width: size, colorScheme, more: { viewport } });
      await page.setContent(html);
      const where = `${template}-${language}-${viewport.width}-${colorScheme}`;
      await screenshot(page, where);
      expect(await page.evaluate(widthWithMargins), where).toBe(viewport.width);
      if (viewport.width === 390) expect(await problemsOfMail(page), where).toEqual([]);
      await page.context().close();
    }
  }
});

/** What is too wide for its card makes the card wider, and the margins unequal. */
const widthWithMargins = `(() => {
  const { left, right } = document.querySelector('.card').getBoundingClientRect();
  return left + right;
})()`;

/** A mail is shown inside of a page: headings and landmarks are that page's. */
async function problemsOfMail(page: Page): Promise<string[]> {
  const ofPages = ['landmark-one-main', 'page-has-heading-one', 'region'];
  const problems = await accessibilityProblems(page);
  return problems.filter((problem) => !ofPages.some((rule) => problem.startsWith(`${rule}:`)));
}
