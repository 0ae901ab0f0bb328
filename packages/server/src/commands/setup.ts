import { parseArgs } from 'node:util';
import type { ProjectRecord } from '../calls/index.ts';
import { createProject, eachProject } from '../features/control/projects/index.ts';
import { accountByEmail } from '../features/management/accounts/index.ts';
import { findOwner, giveProject } from '../features/management/members/index.ts';
import { readEmail } from '../features/people/index.ts';
import type { Config } from '../platform/config/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { signInLines } from './account.ts';
import { migrateAll } from './migrate.ts';
import { inShellWords } from './shell-words.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

/**
 * `plinth setup`: the databases up to date, a first project, and somebody who owns it. What is there already stays as it
 * is, so that it can be run before every start. Returns the lines to print: no API key, because they end up in logs.
 */
export async function runSetup(config: Config, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { project: { type: 'string', default: 'My first project' } },
  });
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0)
    throw new UsageError('plinth setup takes one argument, the email address of the owner.');
  const email = readEmail(given);
  const applied = await migrateAll(config);
  const lines = [
    applied.length === 0 ? 'The databases are up to date.' : `Migrations: ${applied.length} applied.`,
  ];
  await withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    try {
      const project = await firstProject(config, control, values.project);
      if ((await findOwner(control, project.id)) !== undefined) {
        lines.push('A project with an owner already exists: nothing else to do.');
        return;
      }
      const signIn = await signInLines(config, control, email);
      const { id } = await accountByEmail(control, email);
      await giveProject(control, project.id, id);
      lines.push(
        `Created project ${project.ref}, owned by ${email}.`,
        '',
        signIn,
        '',
        `Another link: plinth account sign-in-link ${email}`,
        `An API key: in the dashboard, or plinth project regenerate-key ${project.ref}`,
      );
    } catch (error) {
      throw inShellWords(error);
    }
  });
  return lines.join('\n');
}

async function firstProject(config: Config, control: ControlDb, name: string): Promise<ProjectRecord> {
  for await (const project of eachProject(control)) return project;
  return (await createProject(control, { name, tier: config.DEFAULT_TIER })).project;
}
