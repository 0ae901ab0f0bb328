import { rolldown } from 'rolldown';
import { type AppPage, servePage } from '../../../server/test/support/serve-page.ts';

/** The files of a module and all that it needs, by name; the first is the module itself. */
export async function bundle(
  input: string,
  platform: 'browser' | 'neutral' = 'browser',
): Promise<Map<string, string>> {
  const made = await rolldown({
    input,
    platform,
    resolve: { conditionNames: ['@plinth/source', 'import', 'browser', 'default'] },
    // What only Node has is not for a bundle.
    external: platform === 'neutral' ? ['ws'] : [],
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    logLevel: 'silent',
  });
  const { output } = await made.generate({ format: 'esm' });
  await made.close();
  return new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part.code]] : [])));
}

/** A page that runs a module, on an origin of its own. */
export async function serveApp(input: string): Promise<AppPage> {
  const files = await bundle(input);
  const [entry = ''] = files.keys();
  return servePage(`<div id="root"></div><script type="module" src="/${entry}"></script>`, files);
}
