import { configOf, getProject, setConfig, unsetConfig } from '../features/control/projects/index.ts';
import { describeProject } from './describe-project.ts';
import { argument, type ProjectCommand } from './project-action.ts';
import { UsageError } from './usage.ts';

/** `plinth project config …`: the built-in configuration keys of a project. */
export async function configAction(command: ProjectCommand): Promise<string> {
  const { control } = command;
  const [action = ''] = command.args;
  const ref = argument(command, 1, 'A ref');
  const key = () => argument(command, 2, 'A key');
  switch (action) {
    case 'set': {
      const project = await setConfig(control, ref, key(), argument(command, 3, 'A value'));
      return describeProject(command, project);
    }
    case 'unset':
      return describeProject(command, await unsetConfig(control, ref, key()));
    case 'list':
      return Object.entries(configOf(await getProject(control, ref)))
        .map(([name, value]) => configLine(name, value))
        .join('\n');
    default:
      throw new UsageError('plinth project config takes set, unset or list.');
  }
}

/** Not set and set to nothing are two things. */
function configLine(name: string, value: string | number | boolean | null): string {
  const isRoles = name === 'ALLOWED_SELF_ROLES';
  if (value === null) return `${name} (not set${isRoles ? ': any role' : ''})`;
  return `${name}=${value}${isRoles && value === '' ? ' (no role)' : ''}`;
}
