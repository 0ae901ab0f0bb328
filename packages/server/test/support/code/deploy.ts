import type { Client, Reply } from '../client.ts';

/** Deploys modules as they are, without a bundler; those whose names begin with `_` are imported by others. */
export async function deploy(api: Client, files: Record<string, string>): Promise<Reply> {
  const entries = Object.keys(files).filter((file) => !file.startsWith('_'));
  return api.post('/deployments', { files, entries });
}

/** A hook, a schedule or a task as `@plinth/runtime` makes them; what is deployed here has no bundler. */
export const trigger = (parts: string, run: string, options = '{}'): string =>
  `export default { [Symbol.for('plinth.trigger')]: true, options: ${options}, ${parts}, run: async (event, ctx) => { ${run} } }`;

export const onWrite = (event: string, collection: string, run: string, options?: string): string =>
  trigger(`kind: 'hook', event: '${event}', collection: '${collection}'`, run, options);

export const onUsers = (event: string, run: string, options?: string): string =>
  trigger(`kind: 'hook', event: '${event}'`, run, options);

/** As `refuse` of `@plinth/runtime`. */
export const refusal = (message: string): string =>
  `throw Object.assign(new Error(${JSON.stringify(message)}), { name: 'Refusal' });`;
