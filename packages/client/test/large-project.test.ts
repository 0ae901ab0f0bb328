import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const sizes = { collections: 80, fields: 40, queries: 40 };
/** What the compiler may do for it. Walking all paths three links deep took 100 times as much. */
const mostInstantiations = 2_000_000;

const numbers = (length: number) => Array.from({ length }, (_, n) => n);

/** A project in which every collection links to three others, and queries that go through these. */
function largeProject(): string {
  const collections = numbers(sizes.collections).map((c) => {
    const fields = numbers(sizes.fields).map((f) => {
      const target = (c * 7 + f) % sizes.collections;
      if (f < 3) return `link${f}_id: Id<'c${target}'>;`;
      if (f === 3) return `link${f}_ids: Id<'c${target}'>[];`;
      return f % 2 === 0 ? `field${f}: number;` : `field${f}?: 'a' | 'b' | 'c';`;
    });
    return `c${c}: { ${fields.join(' ')} };`;
  });
  const queries = numbers(sizes.queries).map(
    (q) => `export const q${q} = client.collection('c${q}')
  .where('field4', 'gte', ${q}).where('link0.link1.field6', 'lt', 5).where('link2.field5', 'in', ['a', 'b'])
  .any((is) => [is('field8', 1), is('link1.link2.link0.field7', 'c')])
  .orderBy('-field4', 'field5').populate('link0', 'link1.link2', 'link3s').first();`,
  );
  return `import { createClient, type Id } from '@plinth/client';
interface Project { collections: { ${collections.join('\n')} } }
const client = createClient<Project>({ url: 'https://example.com/p/abc123def456' });
${queries.join('\n')}
export const city = async () => (await q0)?.link1?.link2?.field4.toFixed();
// @ts-expect-error: there is no such field behind the links
client.collection('c0').where('link0.link1.nothing', 1);
`;
}

test('80 collections of 40 fields, and 40 queries through their links, are checked quickly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-types-'));
  try {
    await writeFile(join(folder, 'project.ts'), largeProject());
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2022',
      lib: ['es2023', 'dom'],
      module: 'nodenext',
      types: [],
      allowImportingTsExtensions: true,
      paths: {
        '@plinth/client': [join(root, 'packages/client/src/index.ts')],
        '@plinth/protocol': [join(root, 'packages/protocol/src/index.ts')],
      },
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['project.ts'] }),
    );
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    const { stdout } = await promisify(execFile)(
      join(root, 'node_modules/.bin/tsc'),
      ['-p', folder, '--extendedDiagnostics'],
      { maxBuffer: 1e8 },
    ).catch((error: { stdout: string }) => error);
    const figure = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
    console.log(`${figure('Instantiations')} instantiations, ${figure('Total time')} s`);
    expect(stdout).not.toContain('error TS');
    expect(figure('Instantiations')).toBeLessThan(mostInstantiations);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
