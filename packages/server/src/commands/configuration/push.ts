import { stdout } from 'node:process';
import { type Terminal, terminalOn } from '../terminal.ts';
import { CommandError } from '../usage.ts';
import { planFunctions } from './functions-part.ts';
import { applyPush, counted, describePlan, type Plan, planPush, projectName } from './plan.ts';
import { readFolder } from './read-folder.ts';
import { readRequest } from './request.ts';

const here = terminalOn(stdout);

/** `plinth push`: makes a project like a folder. */
export async function runPush(
  environment: NodeJS.ProcessEnv,
  args: string[],
  dataDir: string | undefined,
  terminal: Terminal = here,
): Promise<string> {
  const {
    address,
    path: folder,
    isSure,
    withFunctions,
  } = await readRequest(environment, args, {
    dataDir,
    path: 'plinth',
    takesYes: true,
    takesFunctions: true,
  });
  const request = { address, folder, body: await readFolder(folder) };
  const plan = await planPush(request);
  const functions = withFunctions ? await planFunctions(address, folder) : undefined;
  for (const line of describePlan(plan, functions)) terminal.say(line);
  const changes = plan.changes.length + (functions ? 1 : 0);
  if (changes === 0) return `${projectName(plan)} already matches ${folder}.`;
  if (!isSure) await requireConsent(plan, terminal);
  terminal.say(`Making ${counted(changes, 'change')} to ${projectName(plan)} …`);
  if (plan.changes.length > 0) await applyPush(request, plan);
  // Afterwards: hooks are about collections.
  await functions?.apply();
  return `Done: ${counted(changes, 'change')}. ${projectName(plan)} matches ${folder}.`;
}

/** What cannot be undone needs a yes. */
async function requireConsent(plan: Plan, { ask }: Terminal): Promise<void> {
  const lost = plan.changes.filter(({ isDestructive }) => isDestructive).map(({ words }) => words);
  if (lost.length === 0) return;
  if (!ask) throw new CommandError(`This cannot be undone: ${lost.join(' ')} To do it anyway, add --yes.`);
  const answer = await ask(
    `Changes marked with ! cannot be undone. Apply them to ${projectName(plan)}? Type yes: `,
  );
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
}
