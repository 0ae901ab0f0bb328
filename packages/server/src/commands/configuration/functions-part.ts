import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { askService, type ServiceAddress } from '../call-service.ts';
import { deployFolder, type KeptDeployment } from '../functions/deployments.ts';
import { findFunctionFiles } from '../functions/function-files.ts';
import { changeWords, counted } from '../functions/words.ts';

/** What a push does to the code of a project. */
interface FunctionsPlan {
  readonly words: string;
  apply(): Promise<void>;
}

/**
 * The folder `functions` beside that of the configuration is a part of it, if there are functions in it. Undefined: it is
 * none, or the same code runs already.
 */
export async function planFunctions(
  address: ServiceAddress,
  configuration: string,
): Promise<FunctionsPlan | undefined> {
  const folder = join(dirname(resolve(configuration)), 'functions');
  if (!existsSync(folder) || (await findFunctionFiles(folder)).length === 0) return undefined;
  const tried = await deployFolder(address, { folder, isDryRun: true });
  if (tried.isSame) return undefined;
  const what = [counted(tried.functions.length, 'function'), changeWords(tried)].filter(Boolean).join(': ');
  return {
    words: `Deploy the functions folder (${what}).`,
    apply: async () => void (await deployFolder(address, { folder, isDryRun: false })),
  };
}

/** A pull writes no functions: what is deployed was bundled, and is not what somebody wrote. */
export async function noteFunctions(address: ServiceAddress): Promise<string[]> {
  // A key that may not see deployments is told nothing of them.
  const { data = [] } = await askService<readonly KeptDeployment[]>(address, '/deployments');
  const active = data.find(({ isActive, functions }) => isActive && functions.length > 0);
  if (!active) return [];
  const what = `${counted(active.functions.length, 'function')}, version ${active.version}`;
  return [`Note: the code of the project (${what}) is not pulled. It comes from the functions folder.`];
}
