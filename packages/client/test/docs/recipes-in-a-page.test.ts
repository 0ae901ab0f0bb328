import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOrigins } from '../../../server/src/features/control/projects/index.ts';
import { openBrowser, type Page, type TestBrowser } from '../../../server/test/support/browser.ts';
import { CodeFolder } from '../../../server/test/support/code/code-folder.ts';
import { cuttableLine } from '../../../server/test/support/cuttable-line.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import { keeps } from '../../../server/test/support/on-device.ts';
import { servePage } from '../../../server/test/support/serve-page.ts';
import { useTestApp } from '../../../server/test/support/test-app.ts';
import { bundle } from '../browser/bundle.ts';
import { type PageBlock, pageBlocks, textOf } from './page-blocks.ts';

const t = useTestApp();

/** Serves the page of a recipe, which calls the project at this address. */
async function serveRecipe(blocks: readonly PageBlock[], url: string) {
  await using folder = await CodeFolder.make({
    'page.ts': `const url = ${JSON.stringify(url)};\n${textOf(blocks, 'ts', 'page')}`,
  });
  await folder.install();
  const files = await bundle(join(folder.path, 'page.ts'));
  const [entry = ''] = files.keys();
  return await servePage(`${textOf(blocks, 'html')}<script type="module" src="/${entry}"></script>`, files);
}

/** A project with the collection that the recipe has a file for. */
async function projectFor(blocks: readonly PageBlock[], collection: string) {
  const project = await t.createProject(collection);
  const settings = JSON.parse(textOf(blocks, 'json', `plinth/collections/${collection}.json`)) as object;
  const { status, text } = await project.api.post('/collections', { name: collection, settings });
  expect(status, text).toBe(201);
  return project;
}

describe.skipIf(isMissing('chromium'))('recipes for pages do what they say', () => {
  let chromium: TestBrowser;
  beforeAll(async () => {
    chromium = await openBrowser();
  });
  afterAll(() => chromium?.[Symbol.asyncDispose]());

  const rows = (page: Page) => page.locator('li').allTextContents();

  test('infinite-scroll.md', async () => {
    const blocks = await pageBlocks('docs/recipes/infinite-scroll.md');
    const { ref, api } = await projectFor(blocks, 'posts');
    const documents = Array.from({ length: 45 }, (_, at) => ({ title: `Post ${at + 1}` }));
    const made = await api.post('/collections/posts/batch', { documents });
    expect(made.status, made.text).toBe(201);
    const { body } = await api.get('/collections/posts?orderBy=-createdAt&limit=100');
    const titles = (body.data as { title: string }[]).map(({ title }) => title);
    await using app = await serveRecipe(blocks, `${t.url}/p/${ref}`);
    await setOrigins(t.control, ref, [app.origin]);
    const page = await chromium.openPage();
    // Less than twenty rows: only scrolling brings the end into view.
    await page.setViewportSize({ width: 390, height: 200 });
    await page.goto(app.origin);
    await expect.poll(() => rows(page)).toEqual(titles.slice(0, 20));
    await api.post('/collections/posts', { title: 'While you scroll' });
    const scroll = async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return rows(page);
    };
    await expect.poll(scroll).toEqual(titles);
    await expect.poll(() => page.locator('#end').count()).toBe(0);
  });

  test('offline-list.md', async () => {
    const blocks = await pageBlocks('docs/recipes/offline-list.md');
    const { ref, api } = await projectFor(blocks, 'items');
    await using line = await cuttableLine(t.url);
    await using app = await serveRecipe(blocks, `${line.url}/p/${ref}`);
    await setOrigins(t.control, ref, [app.origin]);
    const page = await chromium.openPage();
    const says = (text: string) => expect.poll(() => page.locator('#status').textContent()).toBe(text);
    const add = async (text: string) => {
      await page.fill('input', text);
      await page.click('button');
    };
    await page.goto(app.origin);
    await says('All saved');
    await add('Milk');
    await expect.poll(() => rows(page)).toEqual(['Milk']);
    await says('All saved');
    await keeps(page, ['Milk']);
    line.cut();
    await add('Bread');
    await expect.poll(() => rows(page)).toEqual(['Milk', 'Bread']);
    await says('1 not sent yet');
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(['Milk', 'Bread']);
    line.mend();
    await says('All saved');
    const { body } = await api.get('/collections/items?orderBy=createdAt');
    expect((body.data as { text: string }[]).map(({ text }) => text)).toEqual(['Milk', 'Bread']);
  });
});
