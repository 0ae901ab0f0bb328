// npm run test:first-minute: starts `plinth dev` in an empty folder, makes a first document by hand in the dashboard, and runs the
// call that its home page offers. Prints how long that took and how many clicks; fails beyond a minute or eight clicks.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openBrowser, type Page } from '../../server/test/support/browser.ts';
import { startDevService } from './dev-service.ts';

const mostSeconds = 60;
const mostClicks = 8;

const begun = performance.now();
await using service = await startDevService();
await using browser = await openBrowser();
const page = await browser.openPage({ more: { permissions: ['clipboard-read', 'clipboard-write'] } });
let clicks = 0;
const click = async (what: ReturnType<Page['locator']>) => {
  clicks += 1;
  await what.click();
};
const button = (name: string) => page.getByRole('button', { name });

await page.goto(service.dashboardUrl);
await click(page.getByRole('link', { name: 'Data', exact: true }));
await click(button('New collection').first());
await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('posts');
await click(button('Create collection'));
await click(button('New document').first());
await page.getByLabel('Document as JSON').fill('{"title": "Hello"}');
await click(button('Save'));
await page.getByRole('gridcell', { name: 'Hello' }).waitFor();
await click(page.getByRole('link', { name: 'Home', exact: true }));
await click(
  page.getByRole('listitem').filter({ hasText: 'Read it back' }).getByRole('button', { name: 'Copy' }),
);
const command = await page.evaluate('navigator.clipboard.readText()');
const { stdout } = await promisify(execFile)('sh', ['-c', String(command)], {
  env: { ...process.env, PLINTH_KEY: service.apiKey },
});
const seconds = (performance.now() - begun) / 1000;
console.log(`${seconds.toFixed(1)} s and ${clicks} clicks from nothing to a document read back:\n${stdout}`);
if (!/"title": ?"Hello"/.test(stdout)) throw new Error('The call does not answer with the document.');
if (seconds > mostSeconds || clicks > mostClicks)
  throw new Error(`It may take ${mostSeconds} s and ${mostClicks} clicks.`);
