import { expect } from 'vitest';
import {
  accessibilityProblems,
  openBrowser,
  type Page,
  screenshot,
} from '../../server/test/support/browser.ts';

const views = [
  { width: 'desktop', colorScheme: 'light' },
  { width: 'desktop', colorScheme: 'dark' },
  { width: 'phone', colorScheme: 'light' },
  { width: 'phone', colorScheme: 'dark' },
] as const;

/** Nothing is cut off, or needs scrolling to the side. */
const fits = 'document.documentElement.scrollWidth <= innerWidth';
/** What the page leaves in the browser. */
const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';

export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** Waits for the heading, and looks at the page in every form: nothing is wrong with any of them. */
  see(name: string, heading: string | RegExp): Promise<void>;
}

/** Somebody with a browser, in which nothing may go wrong: no error, nothing that the page's policy refuses. */
export async function newVisitor(url: string): Promise<Visitor> {
  const browser = await openBrowser();
  const page = await browser.openPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A call that is refused is part of many tests; the browser reports each.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('request', (request) => {
    const sent = `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`;
    if (/plk_\w{20}/.test(sent)) problems.push(`An API key was sent: ${request.url()}`);
  });
  await page.goto(url);
  return {
    page,
    async see(name, heading) {
      await page.getByRole('heading', { name: heading }).first().waitFor();
      for (const { width, colorScheme } of views) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(
          width === 'phone' ? { width: 390, height: 844 } : { width: 1280, height: 800 },
        );
        const found = await accessibilityProblems(page, colorScheme === 'light' ? 'all' : 'colours');
        expect(found, `${name}, ${width}, ${colorScheme}`).toEqual([]);
        expect(await page.evaluate(fits), `${name}, ${width}`).toBe(true);
        await screenshot(page, `${name}-${width}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 800 });
      // Text of twice the size, as some people set it.
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await page.evaluate(fits), `${name}, large text`).toBe(true);
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
      expect(await page.evaluate(kept), name).not.toMatch(/pl[kt]_\w{20}/);
      expect(problems).toEqual([]);
    },
    async [Symbol.asyncDispose]() {
      expect(problems).toEqual([]);
      await browser[Symbol.asyncDispose]();
    },
  };
}
