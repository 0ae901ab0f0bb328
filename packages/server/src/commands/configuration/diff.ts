import type { Outcome } from '../usage.ts';
import { planFunctions } from './functions-part.ts';
import { counted, describePlan, planPush, projectName } from './plan.ts';
import { readFolder } from './read-folder.ts';
import { readRequest } from './request.ts';

/** `plinth diff`: what a push would change. Ends with 1 where that is anything. */
export async function runDiff(
  environment: NodeJS.ProcessEnv,
  args: string[],
  dataDir: string | undefined,
): Promise<Outcome> {
  const options = { dataDir, path: 'plinth', takesFunctions: true };
  const { address, path: folder, withFunctions } = await readRequest(environment, args, options);
  const plan = await planPush({ address, folder, body: await readFolder(folder) });
  const functions = withFunctions ? await planFunctions(address, folder) : undefined;
  const lines = describePlan(plan, functions);
  const changes = plan.changes.length + (functions ? 1 : 0);
  if (changes === 0)
    return { text: [...lines, `${projectName(plan)} matches ${folder}.`].join('\n'), exitCode: 0 };
  const summary = `${projectName(plan)} differs from ${folder}: plinth push would make ${counted(changes, 'change')}.`;
  return { text: [...lines, summary].join('\n'), exitCode: 1 };
}
