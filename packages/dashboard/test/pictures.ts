// npm run pictures: fills a project with what a library has, and writes pictures of the dashboard into docs/pictures.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser, type Page } from '../../server/test/support/browser.ts';
import { Client } from '../../server/test/support/client.ts';
import { startDevService } from './dev-service.ts';
import { fillLibrary } from './library.ts';

const folder = join(import.meta.dirname, '../../../docs/pictures');
const mostBytes = 200_000;

await using service = await startDevService();
const { someBook, lentBook, someReader } = await fillLibrary(
  new Client(service.projectUrl, { 'x-api-key': service.apiKey }),
);
await using browser = await openBrowser();
const page = await browser.openPage();
await page.goto(service.dashboardUrl);
await page.getByRole('link', { name: 'Data', exact: true }).waitFor();
const base = new URL(service.dashboardUrl);
const at = (path: string) => `${base.origin}/dashboard/p/${service.projectRef}${path}`;

await rename(page, 'Library');
await page.goto(at(`/data/books?filter=${encodeURIComponent('year__gte=1950&copies__gt=1')}`));
await page.getByRole('gridcell').first().waitFor();
await take(page, 'data');
await page.emulateMedia({ colorScheme: 'dark' });
await take(page, 'data-dark');
await page.emulateMedia({ colorScheme: 'light' });
await page.goto(at(`/data/books?doc=${someBook}`));
await page.getByRole('gridcell').first().waitFor();
await take(page, 'document');
await page.goto(at(`/data/books/rules?as=${someReader}&action=read&doc=${lentBook}`));
await page.getByText('does not match').first().waitFor();
await take(page, 'rules');
await page.goto(at('/requests'));
await page.getByRole('row').nth(2).waitFor();
await take(page, 'requests');
await page.setViewportSize({ width: 390, height: 844 });
await page.goto(at('/data/books'));
await page.getByText('Solaris').waitFor();
await take(page, 'phone');

/** As the settings do it. */
async function rename(page: Page, name: string): Promise<void> {
  await page.goto(at('/settings'));
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Renamed').waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  // Fonts come late, and what comes late moves things.
  await page.evaluate('document.fonts.ready.then(() => {})');
  await page.waitForLoadState('networkidle').catch(() => {});
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  const { size } = await stat(path);
  console.log(`${name}.png ${size} bytes`);
  if (size > mostBytes) throw new Error(`${name}.png has more than ${mostBytes} bytes.`);
}
