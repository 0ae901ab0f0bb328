import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { collectionBody, type GivenBody, projectBody } from '../../features/configuration/index.ts';
import { checkName } from '../../features/data/collections/index.ts';
import { errorCode } from '../../platform/error-code.ts';
import { CommandError } from '../usage.ts';
import { asMistake, FileMistake, readJsonFile } from './check-file.ts';
import { collectionsFolder, mailName, mailsFolder, projectFile } from './layout.ts';
import { type MailText, readMail } from './mail-file.ts';

/** Reads a folder as a configuration. A part that has no file or folder is left out. Every mistake is named at once. */
export async function readFolder(folder: string): Promise<GivenBody> {
  const mistakes = new Mistakes();
  const project = await readText(join(folder, projectFile));
  const collections = await listFolder(join(folder, collectionsFolder));
  const mails = await listFolder(join(folder, mailsFolder));
  if (project === undefined && !collections && !mails)
    throw new CommandError(`${folder} has no configuration. Create it: plinth pull`);
  if (collections?.length === 0)
    throw new CommandError(
      `${join(folder, collectionsFolder)} is empty: that would delete every collection. Remove the folder to leave them unchanged.`,
    );
  const body: GivenBody = {
    ...(project !== undefined &&
      (await mistakes.in(join(folder, projectFile), async () => readJsonFile(project, projectBody)))),
    ...(collections && { collections: await readCollections(mistakes, folder, collections) }),
    ...(mails && { mails: await readMails(mistakes, folder, mails) }),
  };
  mistakes.report();
  return body;
}

/** Gathers what is wrong, so that a person hears of all of it. */
class Mistakes {
  readonly #found: string[] = [];

  async in<Result>(file: string, read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof FileMistake)) throw error;
      this.#found.push(`${file}: ${error.message}`);
      return undefined;
    }
  }

  report(): void {
    if (this.#found.length > 0) throw new CommandError(this.#found.join('\n'));
  }
}

async function readCollections(
  mistakes: Mistakes,
  folder: string,
  files: readonly string[],
): Promise<NonNullable<GivenBody['collections']>> {
  const found: NonNullable<GivenBody['collections']> = {};
  for (const file of files) {
    const path = join(folder, collectionsFolder, file);
    await mistakes.in(path, async () => {
      if (extname(file) !== '.json')
        throw new FileMistake('Only collections belong here, each in a file with its name and .json.');
      const name = file.slice(0, -'.json'.length);
      asMistake(() => checkName(name));
      found[name] = readJsonFile((await readText(path)) ?? '', collectionBody);
    });
  }
  return found;
}

async function readMails(
  mistakes: Mistakes,
  folder: string,
  files: readonly string[],
): Promise<Record<string, MailText>> {
  const found: Record<string, MailText> = {};
  for (const file of files) {
    const path = join(folder, mailsFolder, file);
    await mistakes.in(path, async () => {
      const name = file.slice(0, -extname(file).length);
      const isHtml = extname(file) === '.html';
      if (!isHtml && extname(file) !== '.txt')
        throw new FileMistake('Only mail templates belong here, such as welcome.en.txt and welcome.en.html.');
      asMistake(() => mailName(name));
      if (isHtml && !files.includes(`${name}.txt`))
        throw new FileMistake(`The plain text of this email is missing: ${name}.txt.`);
      if (isHtml) return;
      const html = files.includes(`${name}.html`)
        ? await readText(join(folder, mailsFolder, `${name}.html`))
        : undefined;
      found[name] = readMail((await readText(path)) ?? '', html);
    });
  }
  return found;
}

/** The files of a folder, without those that systems hide in it; undefined: there is no such folder. */
export async function listFolder(path: string): Promise<string[] | undefined> {
  const names = await readdir(path).catch(ifThere);
  return names?.filter((name) => !name.startsWith('.')).toSorted();
}

/** Undefined if there is no such file. */
export async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ifThere);
}

function ifThere(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
