// @postgres newest
// @needs chromium
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { servePage } from '../support/serve-page.ts';
import { openIdStage, somebody } from './openid-stage.ts';

/** The issuer has to know the address of the dashboard before the node listens there. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('a browser goes to the issuer, which is another site, and comes back signed in', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await using stage = await openIdStage({
    ACCOUNT_SIGNUP: 'open',
    DASHBOARD_URL: origin,
    PORT: String(port),
  });
  await using browser = await openBrowser();
  const page = await browser.openPage();
  const ada = somebody('ada@example.com');
  stage.idp.accounts.set(ada.sub, ada);
  await page.setExtraHTTPHeaders({ 'x-sign-in-as': ada.sub });
  await page.goto(`${origin}/management/session/openid?to=/docs/`);
  expect(page.url()).toBe(`${origin}/docs/`);
  const account = () =>
    page.evaluate<{ data?: { email: string } }>(
      `fetch('/management/account', { headers: { 'x-plinth-dashboard': '1' } }).then((reply) => reply.json())`,
    );
  expect((await account()).data?.email).toBe('ada@example.com');

  // Another site neither begins a sign-in, nor ends one that this browser has not begun.
  const mallory = await stage.visit(somebody('mallory@example.com'));
  for (const path of ['/management/session/openid', mallory.callback]) {
    await using other = await servePage(`<a href="${origin}${path.replaceAll('&', '&amp;')}">Click</a>`);
    await page.goto(`${other.origin}/`);
    await page.click('a');
    await page.waitForURL((url) => url.port === String(port));
    expect(await page.textContent('h1')).toBe('This did not work');
  }
  await page.goto(`${origin}/docs/`);
  expect((await account()).data?.email).toBe('ada@example.com');
});
