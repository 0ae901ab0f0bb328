import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { collectionBody, projectBody, readGiven } from '../../features/configuration/index.ts';
import { AppError } from '../../platform/errors.ts';
import { callService } from '../call-service.ts';
import { FileMistake, readJsonFile } from './check-file.ts';
import { noteFunctions } from './functions-part.ts';
import {
  collectionsFolder,
  filesOf,
  isCollectionFile,
  isMailFile,
  mailsFolder,
  type Pulled,
  projectFile,
} from './layout.ts';
import { listFolder, readText } from './read-folder.ts';
import { readRequest } from './request.ts';

/** `plinth pull`: writes the configuration of a project into a folder. */
export async function runPull(
  environment: NodeJS.ProcessEnv,
  args: string[],
  dataDir: string | undefined,
): Promise<string> {
  const { address, path: folder } = await readRequest(environment, args, { dataDir, path: 'plinth' });
  const { data: pulled } = await callService<Pulled>(address, '/configuration');
  const lines = await writeFiles(folder, filesOf(pulled));
  const { name, ref } = pulled.project;
  const summary =
    lines.length === 0
      ? `${folder} already has the configuration of ${name} (${ref}).`
      : `${folder} now has the configuration of ${name} (${ref}).`;
  return [...lines, ...notes(pulled), ...(await noteFunctions(address)), summary].join('\n');
}

async function writeFiles(folder: string, wanted: ReadonlyMap<string, string>): Promise<string[]> {
  const lines: string[] = [];
  for (const file of await ownFiles(folder)) {
    if (wanted.has(file)) continue;
    await rm(join(folder, file));
    lines.push(`Removed ${join(folder, file)}`);
  }
  for (const [file, text] of wanted) {
    const path = join(folder, file);
    const before = await readText(path);
    if (before === text || (before !== undefined && (await saysTheSame(file, before, text)))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    lines.push(`${before === undefined ? 'Wrote' : 'Changed'} ${path}`);
  }
  return lines;
}

/** Files that an earlier pull could have written. */
async function ownFiles(folder: string): Promise<string[]> {
  const collections = (await listFolder(join(folder, collectionsFolder))) ?? [];
  const mails = (await listFolder(join(folder, mailsFolder))) ?? [];
  return [
    ...collections.filter(isCollectionFile).map((file) => join(collectionsFolder, file)),
    ...mails.filter(isMailFile).map((file) => join(mailsFolder, file)),
  ];
}

/** Whoever wrote a file in another order, or left out what is the default, keeps it that way. */
async function saysTheSame(file: string, before: string, text: string): Promise<boolean> {
  try {
    if (file.startsWith(collectionsFolder))
      return isDeepStrictEqual(await collectionIn(before), await collectionIn(text));
    return file === projectFile && isDeepStrictEqual(await projectIn(before), await projectIn(text));
  } catch (error) {
    if (error instanceof AppError || error instanceof FileMistake) return false;
    throw error;
  }
}

const collectionIn = (text: string) =>
  readGiven('', { collections: { it: readJsonFile(text, collectionBody) } });

async function projectIn(text: string) {
  const { env = [], services = [], ...given } = readJsonFile(text, projectBody);
  return { ...(await readGiven('', given)), env, services };
}

function notes({ configuration }: Pulled): string[] {
  const seen = new Map<string, string>();
  return Object.keys(configuration.collections).flatMap((name) => {
    const other = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    return other === undefined
      ? []
      : [`Note: ${other} and ${name} differ only in case. Some systems cannot store both files.`];
  });
}
