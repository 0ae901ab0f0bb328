import { localConfig, takeDataDir, takeOption } from './dev-environment.ts';
import { runProjectCommand, runRemoteProjectCommand } from './project.ts';
import { findDeployment } from './remote/deployment.ts';

/** `plinth project …`, on the database where there is one, else over HTTP. */
export async function runProject(environment: NodeJS.ProcessEnv, args: string[]): Promise<string> {
  const { folder, rest } = takeDataDir(args);
  const { value: url, rest: own } = takeOption(rest, '--url');
  const at = await findDeployment(environment, { url, folder });
  if (at) return runRemoteProjectCommand(at, own);
  return runProjectCommand(await localConfig(environment, folder), own);
}
