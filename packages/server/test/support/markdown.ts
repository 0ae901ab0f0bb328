import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

export function readPage(path: string): string {
  return readFileSync(`${repository}${path}`, 'utf8');
}

/** The anchor of a heading, as repository hosts make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, for test names. */
  readonly line: number;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of page.split('\n').entries()) {
    // A word after the language says for whom it is: ```ts page.
    const fence = /^```(\S*)(?: \w+)?\s*$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (!open) open = { language: fence[1]!, line: at + 1, lines: [] };
    else {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  if (open) throw new Error(`The block opened on line ${open.line} is never closed.`);
  return blocks;
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a page. A cell that is one code span is given without its backticks. */
export function tablesOf(page: string): Table[] {
  const tables: Table[] = [];
  let lines: string[] = [];
  for (const line of [...page.split('\n'), '']) {
    if (line.startsWith('|')) {
      lines.push(line);
      continue;
    }
    const [head, , ...rows] = lines.map(cellsOf);
    if (head) tables.push({ head, rows });
    lines = [];
  }
  return tables;
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1'));
}
