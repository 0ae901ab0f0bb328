import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseError } from './release-error.ts';

const unreleased = '## Unreleased\n';

/** What is new in a version: its section, or what is not released yet. */
export function releaseNotes(repository: string, version: string): string {
  const text = readChangelog(repository);
  const notes = sectionOf(text, `## ${version} `) ?? sectionOf(text, unreleased) ?? '';
  if (notes === '') throw new ReleaseError('CHANGELOG.md has nothing under "Unreleased": say what is new.');
  return notes;
}

/** Makes what is not released yet the section of a version. */
export function closeSection(repository: string, version: string, date: string): void {
  const text = readChangelog(repository);
  if (text.includes(`\n## ${version} `)) return;
  writeFileSync(
    join(repository, 'CHANGELOG.md'),
    text.replace(unreleased, () => `${unreleased}\n## ${version} (${date})\n`),
  );
}

function readChangelog(repository: string): string {
  return readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');
}

function sectionOf(text: string, title: string): string | undefined {
  const start = text.indexOf(`\n${title}`);
  if (start < 0) return undefined;
  const [, ...lines] = text.slice(start + 1).split('\n');
  const end = lines.findIndex((line) => line.startsWith('## '));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}
