import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

export interface Size {
  /** What is fetched with the page. */
  readonly first: number;
  /** What is fetched when it is needed, by name. */
  readonly lazy: Readonly<Record<string, number>>;
}

/** What an app ships of a module: minified, and each chunk compressed by itself. */
export async function sizeOf(input: string, external: string[] = []): Promise<Size> {
  const bundle = await rolldown({
    input,
    external,
    platform: 'browser',
    resolve: { conditionNames: ['@plinth/source', 'browser', 'import', 'default'] },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  const withPage = new Set<string>();
  const add = (name: string) => {
    if (withPage.has(name)) return;
    withPage.add(name);
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) add(next);
  };
  for (const { isEntry, fileName } of chunks) if (isEntry) add(fileName);
  const bytes = ({ code }: OutputChunk) => gzipSync(code, { level: 9 }).length;
  const first = chunks.filter(({ fileName }) => withPage.has(fileName));
  const lazy = chunks.filter(({ fileName }) => !withPage.has(fileName));
  return {
    first: first.reduce((sum, chunk) => sum + bytes(chunk), 0),
    lazy: Object.fromEntries(lazy.map((chunk) => [chunk.name, bytes(chunk)])),
  };
}
