import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { format } from 'node:util';
import { expect } from 'vitest';

/** What a script takes as given. */
interface Given {
  readonly url: string;
  readonly apiKey: string;
}

/** Runs a script of a page word for word. It prints the lines after `//>`, each when it is due, and no others. */
export async function runScript(script: string, given: Given): Promise<void> {
  const lines: string[] = [];
  const expectLine = async (text: string) => {
    await expect.poll(() => lines[0], { message: `It does not print: ${text}` }).toBeDefined();
    expect(lines.shift()).toBe(text);
  };
  const log = (...values: unknown[]) => lines.push(format(...values));
  Object.assign(globalThis, { recipe: { ...given, expectLine, console: { log, warn: log, error: log } } });
  const waiting = script.replace(
    /^ *\/\/> (.*)$/gm,
    (_, text: string) => `await expectLine(${JSON.stringify(text)});`,
  );
  const folder = await mkdtemp(join(import.meta.dirname, '.script-'));
  try {
    const file = join(folder, 'script.ts');
    await writeFile(file, `const { url, apiKey, expectLine, console } = globalThis.recipe;\n${waiting}`);
    await import(/* @vite-ignore */ file);
    // What should not come would come now.
    await sleep(100);
    expect(lines).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
