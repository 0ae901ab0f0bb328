import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { format, promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { useTestApp } from '../../server/test/support/test-app.ts';

const t = useTestApp();
const repository = join(import.meta.dirname, '../../..');

interface Block {
  /** The language, and for whom it is: `ts page`. */
  readonly kind: string;
  readonly text: string;
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(repository, page), 'utf8');
  return Array.from(text.matchAll(/^```(\w+(?: \w+)?)\n(.*?)^```$/gms), ([, kind = '', block = '']) => ({
    kind,
    text: block,
  }));
}

/** What examples take as given. */
const given = `
declare const url: string;
declare const apiKey: string;
declare const plinth: import('@plinth/client').Client<import('@plinth/client').AnyProject>;
declare const app: typeof plinth;
declare const createClient: typeof import('@plinth/client').createClient;
declare const request: Request;
declare const input: any, image: any, video: any, base: string, password: string;
declare let token: string;
// What browsers have and the types of the DOM do not tell.
interface Credential { toJSON(): object }
interface Event { readonly data?: string }
`;

test('the examples of docs/client.md do what they say', async () => {
  const script = (await blocksOf('docs/client.md'))
    .filter(({ kind }) => kind === 'ts')
    .map(({ text }) => text)
    .join('\n');
  // What is logged is waited for where it stands.
  const waiting = script.replace(
    /^\/\/> (.*)$/gm,
    (_, text: string) => `await logged(${JSON.stringify(text)});`,
  );
  const lines: string[] = [];
  const logged = async (text: string) => {
    await expect.poll(() => lines.some((line) => line.includes(text))).toBe(true);
    lines.splice(0, lines.findIndex((line) => line.includes(text)) + 1);
  };
  const [{ ref, apiKey }] = t.projects;
  Object.assign(globalThis, {
    docs: {
      url: `${t.url}/p/${ref}`,
      apiKey,
      logged,
      console: { log: (...values: unknown[]) => lines.push(format(...values)), warn: () => {} },
    },
  });
  const folder = await mkdtemp(join(import.meta.dirname, '.docs-'));
  try {
    const file = join(folder, 'script.ts');
    await writeFile(file, `const { url, apiKey, logged, console } = globalThis.docs;\n${waiting}`);
    await import(/* @vite-ignore */ file);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the script of the README does what it says', async () => {
  const [script] = (await blocksOf('README.md')).filter(({ kind }) => kind === 'js');
  const lines: string[] = [];
  const [{ apiKey }] = t.projects;
  Object.assign(globalThis, {
    docs: { console: { log: (...words: unknown[]) => lines.push(words.join(' ')) } },
  });
  vi.stubEnv('KEY', apiKey);
  const folder = await mkdtemp(join(import.meta.dirname, '.docs-'));
  try {
    const file = join(folder, 'films.mjs');
    const text = script?.text.replace('http://localhost:4400', t.url);
    await writeFile(file, `const { console } = globalThis.docs;\n${text}`);
    await import(/* @vite-ignore */ file);
    await expect.poll(() => lines.at(-1)).toBe('Solaris: seen 1 times');
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});

test('every JavaScript and TypeScript example of the documentation compiles', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '.docs-'));
  try {
    await mkdir(join(folder, 'blocks'));
    await writeFile(join(folder, 'given.d.ts'), given);
    const options = {
      allowJs: true,
      checkJs: true,
      noEmit: true,
      // As the package is checked, but for what examples leave out.
      strict: true,
      exactOptionalPropertyTypes: true,
      noImplicitAny: false,
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      jsx: 'react-jsx',
      skipLibCheck: true,
      customConditions: ['@plinth/source'],
      allowImportingTsExtensions: true,
      moduleDetection: 'force',
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['given.d.ts', 'blocks'] }),
    );
    const pages = [
      'README.md',
      ...globSync('{docs,docs/recipes,packages/*,examples/*}/*.md', { cwd: repository }),
    ];
    let count = 0;
    for (const page of pages) {
      const blocks = (await blocksOf(page)).filter(({ kind }) => /^(js|ts|tsx|jsx)( |$)/.test(kind));
      // Those that go on from one another are one script.
      const script = blocks.filter(({ kind }) => kind === 'ts').map(({ text }) => text);
      const alone = blocks.filter(({ kind }) => kind !== 'ts');
      const name = page.replaceAll('/', '-').replace('.md', '');
      if (script.length > 0) await writeFile(join(folder, 'blocks', `${name}.ts`), script.join('\n'));
      for (const [at, { kind, text }] of alone.entries())
        await writeFile(join(folder, 'blocks', `${name}-${at}.${kind.split(' ')[0]}`), text);
      count += blocks.length;
    }
    const tsc = join(repository, 'node_modules/.bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (failure: { stdout: string }) => failure,
    );
    const problems = stdout
      .split('\n')
      .filter((line) => line.includes('blocks/'))
      .map((line) => line.slice(line.indexOf(basename(folder))));
    console.log(`${count} examples`);
    expect(problems).toEqual([]);
    // Nothing is wrong with how it was asked.
    expect(stdout).not.toMatch(/^error TS/m);
    expect(count).toBeGreaterThan(30);
  } finally {
    await rm(folder, { recursive: true });
  }
});
