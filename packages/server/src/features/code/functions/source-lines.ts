import { SourceMap } from 'node:module';
import type { Files } from '../sandbox/index.ts';

/** `at name (file:///fn/orders.js:1:234)`, whatever folder the process had it in. */
const frame = /(?:file:\/\/)?[^\s()]*?\/fn\/([^\s():]+):(\d+):(\d+)/g;
const mostFrames = 30;

/** The stack with the lines that somebody wrote, instead of those that run. */
export function inSourceLines(stack: string, maps: Files): string {
  const read = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string): SourceMap | undefined => {
    if (!read.has(file)) read.set(file, parse(maps[`${file}.map`]));
    return read.get(file);
  };
  return stack
    .split('\n')
    .slice(0, mostFrames)
    .filter((line) => !/\/runner\.js:\d|ext:|node:internal/.test(line))
    .map((line) =>
      line.replace(frame, (_all, file: string, row: string, column: string) => {
        const origin = mapOf(file)?.findOrigin(Number(row), Number(column));
        if (!origin || !('fileName' in origin)) return `${file}:${row}:${column}`;
        return `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`;
      }),
    )
    .join('\n');
}

function parse(text: string | undefined): SourceMap | undefined {
  try {
    return text === undefined ? undefined : new SourceMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}
