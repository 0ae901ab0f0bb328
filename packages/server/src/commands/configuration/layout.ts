import { join } from 'node:path';
import { checkName } from '../../features/data/collections/index.ts';
import { readWhich } from '../../features/people/mail-templates/index.ts';
import { AppError } from '../../platform/errors.ts';
import { CommandError } from '../usage.ts';
import { type MailText, mailFiles } from './mail-file.ts';

/** The configuration of a project, as the service gives it. */
export interface Pulled {
  readonly project: { readonly ref: string; readonly name: string };
  readonly version: string;
  readonly configuration: {
    readonly collections: Readonly<Record<string, object>>;
    readonly settings: object;
    readonly configs: object;
    readonly allowedOrigins: readonly string[];
    readonly mails: Readonly<Record<string, MailText>>;
    readonly env: readonly string[];
    readonly services: readonly string[];
  };
}

export const projectFile = 'project.json';
export const collectionsFolder = 'collections';
export const mailsFolder = 'mails';

/** Every file of a configuration and what is in it, by paths inside the folder. */
export function filesOf({ configuration }: Pulled): Map<string, string> {
  const { collections, mails, settings, configs, allowedOrigins, env, services } = configuration;
  const files = new Map<string, string>();
  files.set(projectFile, jsonText({ settings, configs, allowedOrigins, env, services }));
  for (const [name, collection] of Object.entries(collections)) {
    requireName(() => checkName(name), name);
    files.set(join(collectionsFolder, `${name}.json`), jsonText(collection));
  }
  for (const [name, text] of Object.entries(mails)) {
    requireName(() => mailName(name), name);
    for (const [ending, content] of mailFiles(text))
      files.set(join(mailsFolder, `${name}${ending}`), content);
  }
  return files;
}

/** Names become files: nothing that a service says may lead out of the folder. */
function requireName(check: () => void, name: string): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new CommandError(`The service sent the name "${name}": ${error.message}`);
  }
}

/** `welcome.en` */
export function mailName(name: string) {
  const [template = '', language = ''] = name.split(/\.(.*)/s);
  return readWhich({ name: template, language });
}

export const isCollectionFile = (file: string) =>
  file.endsWith('.json') && isRight(() => checkName(file.slice(0, -'.json'.length)));

export const isMailFile = (file: string) =>
  /\.(txt|html)$/.test(file) && isRight(() => mailName(file.replace(/\.(txt|html)$/, '')));

function isRight(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** In which file that part of a configuration is: `collections.posts` */
export function fileAt(place: string): string {
  const [, part, name] = /^(collections|mails)\.(.*)$/s.exec(place) ?? [];
  if (part === 'collections') return join(collectionsFolder, `${name}.json`);
  return part === 'mails' ? join(mailsFolder, `${name}.txt`) : projectFile;
}

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
