import { listVariables, ProjectError, setVariable, unsetVariable } from '../features/projects/index.ts';
import type { ServiceCommand } from './project-services.ts';
import { UsageError } from './usage.ts';

const masked = '••••••••';

/** `plinth project env …`: variables for the project's own code. Their values come by standard input and are never shown. */
export async function runEnvironment(action: string, command: ServiceCommand): Promise<string> {
  const { control, vault, ref, rest, readInput } = command;
  const [key] = rest;
  if (action === 'list') {
    const keys = await listVariables(control, ref);
    return keys.length === 0 ? 'No variable is set.' : keys.map((name) => `${name}=${masked}`).join('\n');
  }
  if (action !== 'set' && action !== 'unset')
    throw new UsageError('plinth project env takes set, unset or list.');
  if (key === undefined) throw new UsageError('A key is missing.');
  if (action === 'unset') {
    const gone = await unsetVariable(control, ref, key);
    if (gone === undefined)
      throw new ProjectError('There is no such variable. See: plinth project env list <ref>');
    return `${gone} is gone.`;
  }
  if (rest.length > 1) {
    throw new UsageError('The value is read from standard input, not from the command line: … < file');
  }
  // An editor or `echo` ends the last line; that is not part of the value.
  const value = (await readInput()).replace(/\r?\n$/, '');
  return `${await setVariable(control, vault, { ref, key, value })} is set, and kept encrypted.`;
}
