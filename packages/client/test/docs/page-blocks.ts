import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../../../server/test/support/markdown.ts';

export interface PageBlock {
  readonly language: string;
  /** For whom it is, such as `page`, or the file that it is. */
  readonly title: string;
  readonly text: string;
}

/** The fenced blocks of a page, whose first line is the language and a title. */
export async function pageBlocks(path: string): Promise<PageBlock[]> {
  const text = await readFile(join(repository, path), 'utf8');
  const found = text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms);
  return Array.from(found, ([, language = '', title = '', block = '']) => ({ language, title, text: block }));
}

/** The text of all blocks of a kind, which go on from one another. */
export const textOf = (blocks: readonly PageBlock[], language: string, title = ''): string =>
  blocks
    .filter((block) => block.language === language && block.title === title)
    .map(({ text }) => text)
    .join('\n');
