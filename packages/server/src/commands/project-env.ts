import { listEnv, setEnv, unsetEnv } from '../features/control/projects/index.ts';
import { argument, type ProjectCommand } from './project-action.ts';
import { UsageError } from './usage.ts';

export const masked = '••••••••';

/** `plinth project env …`: variables for the project's own code. Their values are read from standard input and never shown. */
export async function envAction(command: ProjectCommand): Promise<string> {
  const { control, vault } = command;
  const [action = ''] = command.args;
  const ref = argument(command, 1, 'A ref');
  const key = () => argument(command, 2, 'A key');
  switch (action) {
    case 'list': {
      const keys = await listEnv(control, ref);
      return keys.length === 0 ? 'No variable is set.' : keys.map((name) => `${name}=${masked}`).join('\n');
    }
    case 'unset':
      return `${await unsetEnv(control, ref, key())} was removed.`;
    case 'set': {
      const variable = { ref, key: key(), value: await readValue(command) };
      return `${await setEnv(control, vault, variable)} is set and stored encrypted.`;
    }
    default:
      throw new UsageError('plinth project env takes set, unset or list.');
  }
}

export async function readValue({
  args,
  readInput,
}: Pick<ProjectCommand, 'args' | 'readInput'>): Promise<string> {
  if (args.length > 3)
    throw new UsageError('Pass the value on standard input, not on the command line: … < file');
  // An editor or `echo` ends the last line; that is not part of the value.
  return (await readInput()).replace(/\r?\n$/, '');
}
