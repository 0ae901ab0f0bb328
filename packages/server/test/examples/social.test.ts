// @postgres newest
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { blocksOf, readPage, repository } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

async function run(file: string, settings: Record<string, string>): Promise<string> {
  const script = spawn(
    process.execPath,
    ['--conditions=@plinth/source', `${repository}examples/social/${file}`],
    {
      env: { PATH: process.env.PATH, BASE: `${t.url}/p/${t.projects[0].ref}`, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [printed, complaint, [code]] = await Promise.all([
    text(script.stdout),
    text(script.stderr),
    once(script, 'exit'),
  ]);
  expect(code, complaint).toBe(0);
  return printed;
}

const story = `Ada's feed:
  (empty)
Ada's feed:
  Cleo: Tea at four. (likes: 0)
  Bob: Hello, I am Bob. (likes: 0)
Bob's own posts: Not finished yet / Hello, I am Bob.
Ada edits Bob's post: rule_denied
Ada edits Bob's draft: document_not_found
Bob edits his own post: done
Ada's feed:
  Bob: Finished. (likes: 0)
  Bob: Hello, I am still Bob. (likes: 2)
`;

test('examples/social: the setup can be run twice, and the story is the same each time it is told', async () => {
  await run('setup.js', { KEY: t.projects[0].apiKey });
  // Without the key: the app needs none.
  expect(await run('demo.js', {})).toBe(story);
  await run('setup.js', { KEY: t.projects[0].apiKey });
  expect(await run('demo.js', {})).toBe(story);
});

test('examples/social: the feed that its README shows is the one that is printed', () => {
  const shown = blocksOf(readPage('examples/social/README.md')).find(({ language }) => language === 'text')!;
  expect(story.endsWith(`${shown.text}\n`)).toBe(true);
});
