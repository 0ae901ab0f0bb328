import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { codeTexts } from '../code-texts.ts';
import { type Deployment, deploymentsQuery, type FunctionRecord } from './functions.ts';
import { manage } from './management.ts';

/** What was deployed: all files, in the form in which they are deployed. */
export interface DeployedFiles {
  readonly version: number;
  readonly files: Readonly<Record<string, string>>;
  readonly maps: Readonly<Record<string, string>>;
  readonly entries: readonly string[];
}

/** What a deployment changed, or would change. */
export interface Deployed {
  /** Null: it was only tried. */
  readonly version: number | null;
  readonly functions: readonly FunctionRecord[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export const deployedFilesQuery = (ref: string, version: number) =>
  queryOptions({
    queryKey: ['projects', ref, 'deployment-files', version],
    queryFn: ({ signal }) => manage<DeployedFiles>(`/p/${ref}/deployments/${version}/files`, { signal }),
    // A version is what it is.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** One file that is other than in the version that runs. */
export interface FileChange {
  readonly file: string;
  /** Undefined: it goes. */
  readonly text: string | undefined;
  readonly note: string;
  readonly isDryRun: boolean;
}

/** Deploys what runs with one file changed: a deployment is always all of it. */
export function useDeployFile(ref: string, base: DeployedFiles | undefined) {
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: deploymentsQuery(ref).queryKey });
  return useMutation({
    mutationFn: async ({ file, text, note, isDryRun }: FileChange) => {
      await requireLatest(ref, base);
      const { files, maps, entries } = withChange(base, file, text);
      return manage<Deployed>(`/p/${ref}/deployments${isDryRun ? '?dryRun=true' : ''}`, {
        method: 'POST',
        body: { files, maps, entries, note },
      });
    },
    onSuccess: async ({ version }, { text }) => {
      if (version === null) return;
      const read = readAgain();
      // What goes away with its file has something to say before.
      if (text !== undefined) await read;
    },
    // Perhaps another version runs than this page knows of.
    onError: () => void readAgain(),
  });
}

/** What somebody else has deployed meanwhile is not undone by the way. */
async function requireLatest(ref: string, base: DeployedFiles | undefined): Promise<void> {
  const deployments = await manage<readonly Deployment[]>(`/p/${ref}/deployments`);
  const active = deployments.find(({ isActive }) => isActive);
  if (active?.version !== base?.version)
    throw new Error(codeTexts.functionCode.meanwhile(active?.version ?? 0));
}

function withChange(base: DeployedFiles | undefined, file: string, text: string | undefined) {
  const { files, maps, entries } = base ?? { files: {}, maps: {}, entries: [] };
  const others = Object.entries(files).filter(([name]) => name !== file);
  const otherMaps = Object.entries(maps).filter(([name]) => name !== `${file}.map`);
  return {
    files: Object.fromEntries(text === undefined ? others : [...others, [file, text]]),
    maps: Object.fromEntries(otherMaps),
    entries: [...entries.filter((name) => name !== file), ...(text === undefined ? [] : [file])],
  };
}
