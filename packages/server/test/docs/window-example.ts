import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { fill, type Kept, keepFrom } from '../support/http-example.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import type { Block } from '../support/markdown.ts';
import { openDevice } from '../support/people/device.ts';

/** Where the examples have their app: one of the origins that `plinth dev` lets in. */
export const appOrigin = 'http://localhost:5173';

/** The variables that a script of the app has. */
type Known = Readonly<Record<string, string>>;

/** The browser of somebody who uses the app of the examples: a window that stays open, and a device with passkeys. */
export class AppWindow implements AsyncDisposable {
  readonly #browser: TestBrowser;
  readonly #page: Page;
  readonly #provider: IdentityProvider;

  private constructor(browser: TestBrowser, page: Page, provider: IdentityProvider) {
    this.#browser = browser;
    this.#page = page;
    this.#provider = provider;
  }

  static async open(provider: IdentityProvider): Promise<AppWindow> {
    const browser = await openBrowser();
    const { page } = await openDevice({ ...browser, openPage: () => openAppPage(browser) }, appOrigin);
    return new AppWindow(browser, page, provider);
  }

  /**
   * Does what a `browser` block says: `open` an address, fill in fields by their labels (`Password: …`), `press` a button,
   * or log in at the identity provider. `=>` shows the address it ends at, or the heading of the page.
   */
  async run({ text }: Block, base: string, kept: Kept): Promise<void> {
    for (const line of fill(text, kept).replaceAll('$BASE', base).trim().split('\n')) {
      const [, step = '', what = ''] = /^(open|press|=>|[^:]+:|sign in there as) (.+)$/.exec(line) ?? [];
      if (step === 'open') await this.#open(what);
      else if (step === 'press') await this.#page.getByRole('button', { name: what, exact: true }).click();
      else if (step === 'sign in there as') await this.#signInAtProvider(what);
      else if (step === '=>') await this.#expectToBeAt(what, kept);
      else await this.#page.getByLabel(step.slice(0, -1), { exact: true }).fill(what);
    }
  }

  /** Runs a `js` block word for word on a page of the app; gives the variable `token` as it is in the end. */
  async runScript({ text }: Block, known: Known): Promise<string> {
    if (!this.#page.url().startsWith(appOrigin)) await this.#page.goto(`${appOrigin}/`);
    const start = `let { ${Object.keys(known).join(', ')} } = ${JSON.stringify(known)};`;
    const run = this.#page.evaluate<string>(`(async () => { ${start}\n${text}\nreturn token; })()`);
    if (!text.includes('location.assign(')) return run;
    // The answer may be lost when the page is left.
    const left = this.#page.waitForURL((url) => url.origin !== appOrigin);
    await Promise.all([left, run.catch(() => '')]);
    return known.token!;
  }

  async #open(address: string): Promise<void> {
    // Logins at the provider are walked through without a window.
    if (address.startsWith(this.#provider.issuer)) this.#asked = address;
    else await this.#page.goto(address);
  }

  #asked = '';

  async #signInAtProvider(email: string): Promise<void> {
    const account = { sub: email, email, email_verified: true, name: email.split('@')[0]! };
    const { redirectUri, parameters } = await this.#provider.signIn(this.#asked, account);
    await this.#page.goto(`${redirectUri}?${parameters.toString()}`);
  }

  async #expectToBeAt(shown: string, kept: Kept): Promise<void> {
    if (shown.startsWith('http')) {
      await this.#page.waitForURL(`${shown.split('?', 1)[0]}**`);
      keepFrom(this.#page.url(), [shown], kept);
    } else {
      await this.#page.getByRole('heading', { level: 1, name: shown, exact: true }).waitFor();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
  }
}

export async function openAppPage(browser: TestBrowser): Promise<Page> {
  const page = await browser.openPage({ more: { locale: 'en-GB' } });
  // Pages that the test makes up are taken for pages of the internet, which may not call this machine unasked.
  await page.context().grantPermissions(['local-network-access']);
  const body = '<!doctype html><html lang="en"><title>The app</title><h1>The app</h1></html>';
  await page.route(`${appOrigin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
  return page;
}
