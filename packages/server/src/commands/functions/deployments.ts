import { askService, callService, type ServiceAddress } from '../call-service.ts';
import { CommandError } from '../usage.ts';
import { type Bundle, bundleFunctions } from './bundle.ts';
import { CodeError, type CodeProblem } from './code-problems.ts';

/** A function as the service describes it. */
export interface DeployedFunction {
  readonly name: string;
  readonly kind: 'http' | 'hook' | 'schedule' | 'task';
  readonly access?: 'server' | 'users' | 'public';
  readonly event?: string;
  readonly collection?: string;
  readonly cron?: string;
  readonly options: { readonly timeZone?: string };
  readonly loadMs: number;
}

/** What a deployment changed, or would change. */
interface Deployed {
  /** Null: it was only tried. */
  readonly version: number | null;
  readonly functions: readonly DeployedFunction[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The same code ran already. */
  readonly isSame: boolean;
}

/** A deployment that is kept. */
export interface KeptDeployment {
  readonly version: number;
  readonly functions: readonly DeployedFunction[];
  readonly bytes: number;
  readonly note: string | null;
  readonly madeBy: string;
  readonly madeAt: string;
  readonly isActive: boolean;
}

export interface DeployOutcome extends Deployed {
  readonly bundle: Bundle;
  readonly seconds: number;
}

interface DeployWish {
  readonly folder: string;
  readonly note?: string | undefined;
  readonly isDryRun: boolean;
}

/** Bundles a folder and deploys it, or tries to. Throws a `CodeError` if the code is refused. */
export async function deployFolder(
  address: ServiceAddress,
  { folder, note, isDryRun }: DeployWish,
): Promise<DeployOutcome> {
  const begun = performance.now();
  const bundle = await bundleFunctions(folder);
  const { files, maps, entries } = bundle;
  const { data, error } = await askService<Deployed>(
    address,
    `/deployments${isDryRun ? '?dryRun=true' : ''}`,
    {
      method: 'POST',
      body: { files, maps, entries, ...(note !== undefined && { note }) },
    },
  );
  if (data) return { ...data, bundle, seconds: (performance.now() - begun) / 1000 };
  const problems = error?.code === 'deploy_failed' ? problemsIn(error.details, bundle) : [];
  if (problems.length > 0)
    throw new CodeError(problems, 'The deployment was rejected, and the previous version keeps running.');
  throw new CommandError(`${address.url}: ${error?.message}`);
}

interface RefusedFile {
  readonly file?: string;
  readonly message: string;
  readonly stack?: string;
}

function problemsIn(details: unknown, { sources }: Bundle): CodeProblem[] {
  const { problems = [] } = (details ?? {}) as { problems?: readonly RefusedFile[] };
  return problems.map(({ file, message, stack }) => ({
    message,
    stack,
    ...(file !== undefined && { place: sources[file] ?? file }),
  }));
}

/** The deployments that are kept, the newest first. */
export async function readDeployments(address: ServiceAddress): Promise<readonly KeptDeployment[]> {
  return (await callService<KeptDeployment[]>(address, '/deployments')).data;
}

export async function activateDeployment(address: ServiceAddress, version: number): Promise<KeptDeployment> {
  const path = `/deployments/${version}/activate`;
  return (await callService<KeptDeployment>(address, path, { method: 'POST' })).data;
}
