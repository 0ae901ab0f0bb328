import { test } from 'vitest';
import { useTestApp } from '../../../server/test/support/test-app.ts';
import { pageBlocks, textOf } from './page-blocks.ts';
import { runScript } from './run-script.ts';

const t = useTestApp();

test('the snippets of docs/coming-from.md do what they say', async () => {
  const [{ ref, apiKey }] = t.projects;
  const script = textOf(await pageBlocks('docs/coming-from.md'), 'ts');
  await runScript(script, { url: `${t.url}/p/${ref}`, apiKey });
});
