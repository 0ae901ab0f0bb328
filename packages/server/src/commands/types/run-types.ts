import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { addressOptions, findAddress } from '../project-address.ts';
import { readProject } from './read-project.ts';
import { writeTypes } from './write-types.ts';

/** Writes the types of a project: to a file, or for others to read on. */
export async function runTypesCommand(
  environment: NodeJS.ProcessEnv,
  args: string[],
  folder: string | undefined,
): Promise<string> {
  const { values } = parseArgs({
    args,
    options: {
      ...addressOptions,
      out: { type: 'string' },
      functions: { type: 'boolean', default: false },
    },
  });
  const facts = await readProject(await findAddress(values, environment, folder));
  const text = writeTypes(facts, values.functions);
  if (values.out === undefined) return text.trimEnd();
  const before = await readFile(values.out, 'utf8').catch(() => '');
  if (before === text) return `${values.out} is up to date.`;
  await writeFile(values.out, text);
  return `Wrote ${values.out} with the types of ${facts.collections.length} ${facts.collections.length === 1 ? 'collection' : 'collections'}.`;
}
