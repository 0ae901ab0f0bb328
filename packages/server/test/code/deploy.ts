import type { Client, Reply } from '../support/client.ts';

/** Deploys modules as they are, without a bundler; those whose names begin with `_` are imported by others. */
export async function deploy(api: Client, files: Record<string, string>): Promise<Reply> {
  const entries = Object.keys(files).filter((file) => !file.startsWith('_'));
  return api.post('/deployments', { files, entries });
}
