import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOrigins } from '../../../server/src/features/control/projects/index.ts';
import { openBrowser, type TestBrowser } from '../../../server/test/support/browser.ts';
import { CodeFolder } from '../../../server/test/support/code/code-folder.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import { PlinthProcess } from '../../../server/test/support/nodes/plinth-process.ts';
import { runShell, shellWith } from '../../../server/test/support/shell-example.ts';
import { useTestApp } from '../../../server/test/support/test-app.ts';
import { serveApp } from '../browser/bundle.ts';
import { pageBlocks } from './page-blocks.ts';

const t = useTestApp();
const blocks = await pageBlocks('docs/start.md');
const shell = blocks.filter(({ language }) => language === 'sh');
const printed = blocks.filter(({ title }) => title === 'printed').map(({ text }) => text);

describe('docs/start.md: what you type gives what you see', () => {
  let folder: CodeFolder;
  let script: PlinthProcess;
  let url: string;
  let key: string;
  let ref: string;

  beforeAll(async () => {
    [{ ref, apiKey: key }] = t.projects;
    // As `plinth dev` does it: the bare address is that of its project.
    ({ url } = await t.node({ ROOT_PROJECT: ref }));
    const files = blocks.filter(({ language }) => ['js', 'tsx'].includes(language));
    folder = await CodeFolder.make(
      Object.fromEntries(files.map(({ title, text }) => [title, text.replace('http://localhost:4400', url)])),
    );
    await folder.install();
    script = new PlinthProcess([], { KEY: key }, folder.path, join(folder.path, 'start.mjs'));
  });
  afterAll(async () => {
    await script?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const runCurl = (at: number) =>
    runShell({ ...shell[at]!, line: 1 }, shellWith({ BASE: url, KEY: key }), { folder: folder.path });
  const prints = (text: string) => expect.poll(() => script.stdout, { message: script.stderr }).toBe(text);

  test('the script prints the list', async () => {
    expect([shell.length, printed.length]).toEqual([3, 2]);
    await prints(printed[0]!);
  });

  test('what curl adds is in it at once', async () => {
    await runCurl(0);
    await prints(printed.join(''));
    await runCurl(1);
  });

  test.skipIf(isMissing('chromium'))('and on the page', async () => {
    await using app = await serveApp(join(folder.path, 'src/main.tsx'));
    await setOrigins(t.control, ref, [app.origin]);
    await using chromium: TestBrowser = await openBrowser();
    const page = await chromium.openPage();
    await page.goto(app.origin);
    const shown = () => page.locator('li').allTextContents();
    await expect.poll(shown).toEqual(['Buy milk', 'Call Ada']);
    await runCurl(2);
    await expect.poll(shown).toEqual(['Buy milk', 'Call Ada', 'Water the plants']);
  });
});
