// @postgres newest
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { defaultTiers } from '../../src/calls/index.ts';
import { usage } from '../../src/commands/usage.ts';
import type { Tier } from '../../src/platform/config/config.ts';
import { anchorOf, readPage, repository, tablesOf } from '../support/markdown.ts';

const pages = [
  '.',
  'docs',
  'docs/decisions',
  'docs/recipes',
  'examples/social',
  'examples/live',
  'examples/offline',
  'examples/shop',
].flatMap((folder) =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => normalize(`${folder}/${name}`)),
);

const withoutBlocks = (page: string) => page.replaceAll(/^```[\s\S]*?^```/gm, '');

test.each(pages)('%s links only to what is there', (path) => {
  const links = Array.from(withoutBlocks(readPage(path)).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(repository, target))) return true;
    if (anchor === undefined) return false;
    const headings = Array.from(readPage(target).matchAll(/^#+ (.*)$/gm), ([, heading]) => heading!);
    return !headings.some((heading) => anchorOf(heading) === anchor);
  });
  expect(broken).toEqual([]);
});

test.each(pages)('%s names only files and folders that are there', (path) => {
  const named = Array.from(
    withoutBlocks(readPage(path)).matchAll(/`((?:packages|tools|docs|bench|examples)\/[\w./-]+)`/g),
    ([, name]) => name!,
  );
  expect(named.filter((name) => !existsSync(join(repository, name)))).toEqual([]);
});

/** Of the repository, and of the app that `plinth init` creates. */
const scripts = ['package.json', 'packages/server/template/package.json'].flatMap((path) =>
  Object.keys((JSON.parse(readPage(path)) as { scripts: Record<string, string> }).scripts),
);

test.each(pages)('%s names only npm scripts that are there', (path) => {
  const named = Array.from(readPage(path).matchAll(/\bnpm run ([\w:-]+)/g), ([, name]) => name!);
  expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
});

test('docs/projects.md has every command and option there is', () => {
  const page = readPage('docs/projects.md');
  const commands = Array.from(
    usage.matchAll(/^ {2}(plinth (?:project )?[a-z][a-z-]*)/gm),
    ([, name]) => name!,
  );
  const options = Array.from(usage.matchAll(/--[a-z-]{3,}/g), ([name]) => name);
  expect(commands.length).toBeGreaterThan(9);
  const missing = new Set([...commands, ...options].filter((name) => !page.includes(name)));
  expect([...missing].filter((name) => !['--version', '--help'].includes(name))).toEqual([]);
});

test('docs/projects.md gives each tier the limit it has', () => {
  const table = tablesOf(readPage('docs/projects.md')).find(({ head }) => head[0] === 'tier')!;
  expect(table.rows).toHaveLength(4);
  for (const [tier, limit] of table.rows) {
    expect(defaultTiers[tier as Tier].callsPerMinute).toBe(Number(limit));
  }
});

test('every decision is numbered without a gap, dated, and titled', () => {
  const notes = pages.filter((path) => path.startsWith('docs/decisions/')).toSorted();
  for (const [at, path] of notes.entries()) {
    expect(path).toMatch(new RegExp(`^docs/decisions/${String(at + 1).padStart(4, '0')}-[a-z0-9-]+\\.md$`));
    expect(readPage(path)).toMatch(/^# .+\n\n\d{4}-\d\d-\d\d\n/);
  }
});
