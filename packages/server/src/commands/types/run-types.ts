import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findDevProject } from '../dev-environment.ts';
import { UsageError } from '../usage.ts';
import { type ProjectAddress, readProject } from './read-project.ts';
import { writeTypes } from './write-types.ts';

/** Writes the types of a project: to a file, or for others to read on. */
export async function runTypesCommand(
  environment: NodeJS.ProcessEnv,
  args: string[],
  folder: string | undefined,
): Promise<string> {
  const { values } = parseArgs({
    args,
    options: { url: { type: 'string' }, key: { type: 'string' }, out: { type: 'string' } },
  });
  const address = await addressOf(
    { url: values.url ?? environment.PLINTH_URL, apiKey: values.key ?? environment.PLINTH_API_KEY },
    folder,
  );
  const facts = await readProject(address);
  const text = writeTypes(facts);
  if (values.out === undefined) return text.trimEnd();
  const before = await readFile(values.out, 'utf8').catch(() => '');
  if (before === text) return `${values.out} is up to date.`;
  await writeFile(values.out, text);
  return `${values.out} has the types of ${facts.collections.length} collections.`;
}

async function addressOf(
  { url, apiKey }: { url?: string | undefined; apiKey?: string | undefined },
  folder: string | undefined,
): Promise<ProjectAddress> {
  if (url !== undefined && apiKey !== undefined) return { url: url.replace(/\/+$/, ''), apiKey };
  if (url !== undefined || apiKey !== undefined)
    throw new UsageError(
      'Give both: --url (or PLINTH_URL), the project’s address, and --key (or PLINTH_API_KEY), its API key.',
    );
  const found = await findDevProject(folder);
  if (found) return found;
  throw new UsageError('No plinth dev runs in this folder: give --url and --key of the project.');
}
