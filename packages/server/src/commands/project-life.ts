import {
  createProject,
  deleteProject,
  eachProject,
  getProject,
  listProjectSecrets,
  regenerateKey,
} from '../features/control/projects/index.ts';
import { deleteProjectData } from '../features/project-data/index.ts';
import { tables } from '../node/tables.ts';
import { describeProject } from './describe-project.ts';
import { argument, type ProjectAction, type ProjectCommand, refIn } from './project-action.ts';
import { UsageError } from './usage.ts';

/** How projects come, are looked at, and go. */
export const lifeActions: Readonly<Record<string, ProjectAction>> = {
  create: async (command) => {
    const { config, control, options } = command;
    const { project, apiKey } = await createProject(control, {
      name: argument(command, 0, 'A name'),
      tier: options.tier ?? config.DEFAULT_TIER,
    });
    return describeProject(command, project, { apiKey });
  },
  list: listAll,
  show: async (command) => {
    const { control } = command;
    const project = await getProject(control, refIn(command));
    const services = await listProjectSecrets(control, project);
    return describeProject(command, project, { services });
  },
  'regenerate-key': async (command) => {
    const { project, apiKey } = await regenerateKey(command.control, refIn(command));
    return describeProject(command, project, { apiKey });
  },
  delete: async (command) => {
    const ref = refIn(command);
    if (!command.options.yes)
      throw new UsageError(
        `This permanently deletes project ${ref} and all its data. Add --yes to continue.`,
      );
    await deleteProject(command.control, command.cells, ref, (project, cells) =>
      deleteProjectData(project, cells, tables),
    );
    return `Project ${ref} and all its data were deleted.`;
  },
};

async function listAll(command: ProjectCommand): Promise<string> {
  const { control } = command;
  const asJson = command.options.json;
  const lines: string[] = [];
  for await (const project of eachProject(control)) {
    const { ref, tier, name } = project;
    lines.push(asJson ? describeProject(command, project) : `${ref}  ${tier.padEnd(10)}  ${name}`);
  }
  if (lines.length === 0 && !asJson)
    return 'There are no projects yet. Create one: plinth project create <name>';
  return lines.join('\n');
}
