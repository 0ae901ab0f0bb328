import { isBuiltin } from 'node:module';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutputChunk, Plugin, RolldownLog } from 'rolldown';
import { errorCode } from '../../platform/error-code.ts';
import { CommandError } from '../usage.ts';
import { bundleProblems } from './bundle-problems.ts';
import { CodeError } from './code-problems.ts';
import { findFunctionFiles } from './function-files.ts';

/** A folder of functions as it is deployed: without packages to install. */
export interface Bundle {
  readonly files: Readonly<Record<string, string>>;
  readonly maps: Readonly<Record<string, string>>;
  readonly entries: readonly string[];
  /** The file that was written, by the one that was made of it. */
  readonly sources: Readonly<Record<string, string>>;
  /** Bytes of each function with all that it imports, by its name. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** Bundles a folder of functions. Throws a `CodeError` if the code has no such form. */
export async function bundleFunctions(folder: string): Promise<Bundle> {
  const found = await findFunctionFiles(folder);
  const root = dirname(resolve(folder));
  const input = Object.fromEntries(found.map(({ name, path }) => [name, resolve(path)]));
  const chunks = found.length === 0 ? [] : await makeChunks(root, input);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  return {
    files: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
    maps: Object.fromEntries(chunks.flatMap(mapOf)),
    entries: found.map(({ name }) => `${name}.js`),
    sources: Object.fromEntries(
      found.map(({ name, path }) => [`${name}.js`, shownPath(root, resolve(path))]),
    ),
    sizes: Object.fromEntries(found.map(({ name }) => [name, sizeWithImports(`${name}.js`, byName)])),
  };
}

/** It is loaded when something is bundled: no other command waits for it. The image of servers has none. */
async function loadBundler() {
  return import('rolldown').catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError(
      'There is no bundler here: the container image only contains what a server needs. Deploy from a machine where Plinth is installed with npm: npx plinth functions deploy --url <address of the project> --key <API key>',
    );
  });
}

async function makeChunks(root: string, input: Record<string, string>): Promise<OutputChunk[]> {
  const { rolldown } = await loadBundler();
  const unresolved: RolldownLog[] = [];
  try {
    const build = await rolldown({
      input,
      cwd: root,
      // Its own conditions are the right ones: with others, packages give code for browsers or workers.
      platform: 'node',
      plugins: [resolving],
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
      onLog: (_level, log) => {
        if (log.code === 'UNRESOLVED_IMPORT') unresolved.push(log);
      },
    });
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '_shared-[hash].js',
      minify: true,
      keepNames: true,
      sourcemap: 'hidden',
      sourcemapPathTransform: (source, map) => shownPath(root, resolve(dirname(map), source)),
    });
    await build.close();
    if (unresolved.length > 0) throw new CodeError(bundleProblems(unresolved, root));
    return output.filter((one) => one.type === 'chunk');
  } catch (error) {
    if (error instanceof CodeError) throw error;
    throw new CodeError(bundleProblems([...logsOf(error), ...unresolved], root));
  }
}

function logsOf(error: unknown): readonly RolldownLog[] {
  const { errors } = error as { errors?: readonly RolldownLog[] };
  if (errors !== undefined && errors.length > 0) return errors;
  throw error;
}

const runtime = '@plinth/runtime';

const resolving: Plugin = {
  name: 'plinth',
  async resolveId(source, importer, options) {
    // The sandbox knows Node’s own modules by their full names only.
    if (isBuiltin(source)) return { id: source.replace(/^(?!node:)/, 'node:'), external: true };
    if (source !== runtime) return undefined;
    const installed = await this.resolve(source, importer, { ...options, skipSelf: true });
    // A folder without packages has the one that comes with this command.
    return installed && !installed.external ? installed : fileURLToPath(import.meta.resolve(runtime));
  },
};

/** A path as people in the folder of the project write it. */
function shownPath(root: string, path: string): string {
  const shown = relative(root, path).split(sep).join('/');
  if (!shown.startsWith('../')) return shown;
  return /(?:^|\/)(node_modules\/.*)$/.exec(shown)?.[1] ?? basename(shown);
}

/** The map, with the sources of the app to be read beside what runs; those of packages are to be had elsewhere. */
function mapOf({ fileName, map }: OutputChunk): [name: string, text: string][] {
  if (!map) return [];
  const { version, names, sources, mappings } = map;
  const sourcesContent = sources.map((source, at) =>
    isOfPackage(source) ? null : (map.sourcesContent?.[at] ?? null),
  );
  return [[`${fileName}.map`, JSON.stringify({ version, names, sources, sourcesContent, mappings })]];
}

const isOfPackage = (source: string): boolean => source.startsWith('node_modules/');

function sizeWithImports(file: string, chunks: ReadonlyMap<string, OutputChunk>): number {
  const seen = new Set<string>();
  const visit = (name: string): number => {
    const chunk = chunks.get(name);
    if (!chunk || seen.has(name)) return 0;
    seen.add(name);
    const imported = [...chunk.imports, ...chunk.dynamicImports];
    return imported.reduce((bytes, one) => bytes + visit(one), Buffer.byteLength(chunk.code));
  };
  return visit(file);
}
