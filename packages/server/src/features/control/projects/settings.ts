import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidSetting } from './errors.ts';
import { requireFound } from './find-project.ts';
import { copySettings, saveSettings } from './store.ts';

type Settings = ProjectRecord['settings'];
type Language = NonNullable<Settings['language']>;

/** Whether answers come in the envelope or bare when a call does not say. */
export async function setResponseFormat(
  control: ControlDb,
  ref: string,
  format: string,
): Promise<ProjectRecord> {
  if (format !== 'envelope' && format !== 'bare')
    throw invalidSetting('responseFormat', 'The format must be envelope or bare.');
  return change(control, ref, { responseFormat: format });
}

/** Whether app users may upload files, or only the project's server. */
export async function setUploads(control: ControlDb, ref: string, uploads: string): Promise<ProjectRecord> {
  if (uploads !== 'users' && uploads !== 'server')
    throw invalidSetting('uploads', 'Uploads must be open to users or server.');
  return change(control, ref, { uploads });
}

/** What the request log keeps of query strings: the names of parameters, or their values too. */
export async function setLogQueries(
  control: ControlDb,
  ref: string,
  logQueries: string,
): Promise<ProjectRecord> {
  if (logQueries !== 'names' && logQueries !== 'full')
    throw invalidSetting('logQueries', 'Query strings must be logged as names or full.');
  return change(control, ref, { logQueries });
}

/** The language of mails and pages for people who ask for none of those supported. */
export async function setLanguage(
  control: ControlDb,
  ref: string,
  { language, supported }: { language: string; supported: readonly Language[] },
): Promise<ProjectRecord> {
  const known = supported.find((one) => one === language);
  if (known === undefined)
    throw invalidSetting('language', `The language must be one of ${supported.join(', ')}.`);
  return change(control, ref, { language: known });
}

/** Whether users may choose to log in without mailed codes. */
export async function setTwoStepChoice(
  control: ControlDb,
  ref: string,
  isTheirs: boolean,
): Promise<ProjectRecord> {
  return change(control, ref, { allow2faOptOut: isTheirs });
}

/** Gives a project the settings, configs and origins of another; not its environment variables, nor other secrets. */
export async function cloneSettings(
  control: ControlDb,
  { from, to }: { from: ProjectRecord; to: string },
): Promise<ProjectRecord> {
  return requireFound(to, await copySettings(control, from, to));
}

/** Whether an API key is answered that a browser sends, where everyone can read it. */
export async function setBrowserKeys(
  control: ControlDb,
  ref: string,
  browserKeys: string,
): Promise<ProjectRecord> {
  if (browserKeys !== 'refuse' && browserKeys !== 'answer')
    throw invalidSetting('refuseBrowserKeys', 'API keys from browsers must be answer or refuse.');
  return change(control, ref, { refuseBrowserKeys: browserKeys === 'refuse' });
}

async function change(control: ControlDb, ref: string, settings: Settings): Promise<ProjectRecord> {
  return requireFound(ref, await saveSettings(control, ref, settings));
}
