import type { Outcome } from '../usage.ts';
import { counted, describePlan, planPush, projectName } from './plan.ts';
import { readFolder } from './read-folder.ts';
import { readRequest } from './request.ts';

/** `plinth diff`: what a push would change. Ends with 1 where that is anything. */
export async function runDiff(
  environment: NodeJS.ProcessEnv,
  args: string[],
  dataDir: string | undefined,
): Promise<Outcome> {
  const { address, path: folder } = await readRequest(environment, args, { dataDir, path: 'plinth' });
  const plan = await planPush({ address, folder, body: await readFolder(folder) });
  const lines = describePlan(plan);
  if (plan.changes.length === 0)
    return { text: [...lines, `${projectName(plan)} is like ${folder}.`].join('\n'), exitCode: 0 };
  const summary = `${projectName(plan)} differs from ${folder}: plinth push would make ${counted(plan.changes.length, 'change')}.`;
  return { text: [...lines, summary].join('\n'), exitCode: 1 };
}
