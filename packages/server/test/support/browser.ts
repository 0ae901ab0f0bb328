import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './engines.ts';

export type { Page } from 'playwright-core';

type Width = 'desktop' | 'phone';

interface View {
  readonly width?: Width;
  readonly colorScheme?: 'light' | 'dark';
  /** What else the page's window has, such as `locale`. */
  readonly more?: BrowserContextOptions;
}

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  /** A window with cookies of its own. */
  openPage(view?: View): Promise<Page>;
}

const windows: Record<Width, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

/** Chromium without a window. Root, as which tests may run, has no sandbox there. */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    browser,
    async openPage({ width = 'desktop', colorScheme = 'light', more } = {}) {
      const context = await browser.newContext({ ...windows[width], colorScheme, ...more });
      // Its own is half of that, which a busy machine may need.
      context.setDefaultTimeout(60_000);
      return context.newPage();
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Keeps a picture of the whole page in the folder that PLINTH_SCREENSHOTS names, if it names one. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.PLINTH_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Everything that is checked, or what a page in other colours can get wrong. */
const rules = { all: undefined, colours: ['color-contrast', 'link-in-text-block'] };

/** What is wrong with a page for people who use it without eyes or a mouse; empty if nothing is. */
export async function accessibilityProblems(
  page: Page,
  which: keyof typeof rules = 'all',
): Promise<string[]> {
  // Not as a script of the page, whose policy need not allow one. A window keeps it when its content is replaced.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(await readFile(axeFile, 'utf8'));
  const options = { resultTypes: ['violations'], runOnly: rules[which] };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as AxeResults['violations'];
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')})`,
  );
}
