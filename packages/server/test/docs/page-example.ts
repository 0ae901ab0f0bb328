import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { expectPart, type Kept } from '../support/http-example.ts';
import type { Block } from '../support/markdown.ts';
import { appOrigin, openAppPage } from './window-example.ts';

/** A page of the app of the examples that runs scripts and logs what happens. */
export class LoggingPage implements AsyncDisposable {
  readonly #browser: TestBrowser;
  readonly #page: Page;
  readonly #logged: string[] = [];

  private constructor(browser: TestBrowser, page: Page) {
    this.#browser = browser;
    this.#page = page;
    page.on('console', (message) => this.#logged.push(message.text()));
  }

  static async open(): Promise<LoggingPage> {
    const browser = await openBrowser();
    return new LoggingPage(browser, await openAppPage(browser));
  }

  /**
   * Runs a `js` block word for word on a fresh page. Each `//>` line is a part of what is logged, in order; a block that
   * has nothing else shows what the last script has logged since.
   */
  async run({ text }: Block, known: Readonly<Record<string, string>>, kept: Kept): Promise<void> {
    const shown = Array.from(text.matchAll(/^\/\/> (.*)$/gm), ([, line]) => line!);
    if (text.split('\n').some((line) => line !== '' && !line.startsWith('//>'))) {
      await this.#page.goto(`${appOrigin}/`);
      this.#logged.length = 0;
      const start = `const { ${Object.keys(known).join(', ')} } = ${JSON.stringify(known)};`;
      await this.#page.evaluate(`(async () => { ${start}\n${text}\n})()`);
    }
    await expect.poll(() => this.#logged).toSatisfy((lines: string[]) => lines.length >= shown.length);
    for (const [at, line] of this.#logged.splice(0, shown.length).entries()) {
      if (shown[at]!.startsWith('{')) expectPart(JSON.parse(line), JSON.parse(shown[at]!), kept);
      else expect(line).toBe(shown[at]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
  }
}
