// Prints how easily each page of the docs reads: words a sentence, and Flesch's reading ease (60 to 70 is plain
// English). `--before <commit>` adds the figures of an earlier commit.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Readability, readability } from './prose.ts';

const { values: options } = parseArgs({ options: { before: { type: 'string' } } });

function atCommit(commit: string, page: string): Readability | undefined {
  try {
    const place = `${commit}:${page}`;
    return readability(
      execFileSync('git', ['show', place], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return undefined;
  }
}

const shown = (now: Readability, before: Readability | undefined, name: 'perSentence' | 'ease'): string =>
  [before, now].map((figures) => figures?.[name].toFixed(name === 'ease' ? 0 : 1)).join(' → ');

const pages = ['README.md', ...globSync('docs/{*,recipes/*}.md').toSorted()];
console.log('| page | words | words a sentence | reading ease |\n| --- | --- | --- | --- |');
for (const page of pages) {
  const now = readability(readFileSync(page, 'utf8'));
  if (now.words < 50) continue;
  const before = options.before === undefined ? undefined : atCommit(options.before, page);
  const columns = before
    ? [shown(now, before, 'perSentence'), shown(now, before, 'ease')]
    : [now.perSentence.toFixed(1), now.ease.toFixed(0)];
  console.log(`| ${[page, now.words, ...columns].join(' | ')} |`);
}
