import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems, screenshot, type TestBrowser } from '../../support/browser.ts';

export interface Look {
  readonly width: 'desktop' | 'phone';
  readonly colorScheme: 'light' | 'dark';
}

const everyLook: readonly Look[] = (['desktop', 'phone'] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Each width and each scheme once; all four when pictures are wanted. */
export const looks = process.env.PLINTH_SCREENSHOTS ? everyLook : [everyLook[0]!, everyLook[3]!];

/** A window in which no script runs, and a way to look closely at what it shows. */
export interface Onlooker {
  readonly page: Page;
  /** Checks that the page is the one it should be and that everybody can use it; keeps a picture. */
  see(name: string, heading: string): Promise<void>;
}

/** Opens a window without script; a second one, with script, looks at copies of its pages. */
export async function onlooker(browser: TestBrowser, look: Look): Promise<Onlooker> {
  const page = await browser.openPage({ ...look, more: { javaScriptEnabled: false, locale: 'en-GB' } });
  const copy = await browser.openPage(look);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  return {
    page,
    async see(name, heading) {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await screenshot(page, `${name}-${look.width}-${look.colorScheme}`);
      await copy.setContent(await page.content());
      expect({ name, problems: await accessibilityProblems(copy) }).toEqual({ name, problems: [] });
      expect({ name, unfit: await copy.evaluate(`(${unfit})()`) }).toEqual({ name, unfit: [] });
      expect(faults, 'nothing is blocked by the policy of the page').toEqual([]);
    },
  };
}

/** Run in the page: what is too small for a finger, makes a phone zoom, or sticks out of the window. */
const unfit = `() => {
  const found = [];
  for (const part of document.querySelectorAll('a, button, summary, input:not([type=hidden])')) {
    const box = part.getBoundingClientRect();
    if (box.height === 0) continue;
    if (box.height < 44) found.push('small: ' + part.outerHTML);
    if (part.matches('input') && parseFloat(getComputedStyle(part).fontSize) < 16) found.push('zooms: ' + part.outerHTML);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('sticks out by ' + (scrollWidth - clientWidth));
  return found;
}`;
