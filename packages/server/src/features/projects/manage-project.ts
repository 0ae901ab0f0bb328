import type { Tier } from '../../platform/config.ts';
import type { Cells } from '../../platform/db/cells.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import { newApiKey, sha256 } from '../../platform/secrets.ts';
import { isConfigKey, readConfig } from './config-keys.ts';
import { checkOrigins } from './origins.ts';
import type { Project } from './project.ts';
import { ProjectError } from './project-error.ts';
import { readRoomRules } from './rooms.ts';
import { findByRef, findDeleted, removeDeleted, updateProject } from './store.ts';

const unknown = (ref: string) =>
  new ProjectError(`There is no project "${ref}". List them with: plinth project list`);

export async function getProject(control: ControlDb, ref: string): Promise<Project> {
  const project = await findByRef(control, ref);
  if (!project) throw unknown(ref);
  return project;
}

/** Is this the project's API key now? */
export async function isCurrentKey(control: ControlDb, ref: string, apiKey: string): Promise<boolean> {
  const project = await findByRef(control, ref);
  return project?.apiKeyHash.equals(sha256(apiKey)) ?? false;
}

/**
 * Replaces the API key. Every node hears of it with the commit; one whose connection has died without a sign refuses the
 * old key within 3 s.
 */
export async function regenerateKey(
  control: ControlDb,
  ref: string,
): Promise<{ project: Project; apiKey: string }> {
  const apiKey = newApiKey();
  const project = await change(
    control,
    ref,
    sql`api_key_hash = ${sha256(apiKey)}, api_key_created_at = now()`,
  );
  return { project, apiKey };
}

export async function setTier(
  control: ControlDb,
  ref: string,
  tier: Tier,
  rateLimit: number | null,
): Promise<Project> {
  return change(control, ref, sql`tier = ${tier}, rate_limit = ${rateLimit}`);
}

export async function setOrigins(
  control: ControlDb,
  ref: string,
  origins: readonly string[],
): Promise<Project> {
  return change(control, ref, sql`allowed_origins = ${checkOrigins(origins)}::text[]`);
}

/** Whether answers come in the envelope or bare when a call does not say. */
export async function setResponseFormat(
  control: ControlDb,
  ref: string,
  format: 'envelope' | 'bare',
): Promise<Project> {
  return change(
    control,
    ref,
    sql`settings = settings || jsonb_build_object('responseFormat', ${format}::text)`,
  );
}

/** Whether app users may upload files, or only the project's server. */
export async function setUploads(
  control: ControlDb,
  ref: string,
  uploads: 'users' | 'server',
): Promise<Project> {
  return change(control, ref, sql`settings = settings || jsonb_build_object('uploads', ${uploads}::text)`);
}

/** Who may join which rooms; rules that were there before are gone. */
export async function setRooms(control: ControlDb, ref: string, rules: readonly string[]): Promise<Project> {
  const rooms = JSON.stringify(readRoomRules(rules));
  return change(control, ref, sql`settings = settings || jsonb_build_object('rooms', ${rooms}::jsonb)`);
}

/** The language of mails and pages for those who ask for none that there is. */
export async function setLanguage(
  control: ControlDb,
  ref: string,
  language: NonNullable<Project['settings']['language']>,
): Promise<Project> {
  return change(control, ref, sql`settings = settings || jsonb_build_object('language', ${language}::text)`);
}

/** Whether users may choose to log in without mailed codes. */
export async function setTwoStepChoice(control: ControlDb, ref: string, isTheirs: boolean): Promise<Project> {
  return change(
    control,
    ref,
    sql`settings = settings || jsonb_build_object('allow2faOptOut', ${isTheirs}::boolean)`,
  );
}

/** Sets a built-in configuration key, after checking the value. */
export async function setConfig(
  control: ControlDb,
  ref: string,
  name: string,
  text: string,
): Promise<Project> {
  const config = readConfig(name, text);
  const entry = JSON.stringify({ [config.name]: config.value });
  return change(control, ref, sql`configs = configs || ${entry}::jsonb`);
}

/** Gives a configuration key its default again. */
export async function unsetConfig(control: ControlDb, ref: string, name: string): Promise<Project> {
  if (!isConfigKey(name)) throw new ProjectError(`"${name}" is not a configuration key.`);
  return change(control, ref, sql`configs = configs - ${name}::text`);
}

/**
 * Deletes a project: every node refuses it at once, then its rows go in small steps. May be called again after a
 * crash and goes on where it was.
 */
export async function deleteProject(
  control: ControlDb,
  cells: Cells,
  ref: string,
  purge: (project: { id: string; cell: number }, cells: Cells) => Promise<void>,
): Promise<void> {
  const project =
    (await updateProject(control, ref, sql`deleted_at = now()`)) ?? (await findDeleted(control, ref));
  if (!project) throw unknown(ref);
  await purge(project, cells);
  await removeDeleted(control, ref);
}

async function change(control: ControlDb, ref: string, changes: Sql): Promise<Project> {
  const project = await updateProject(control, ref, changes);
  if (!project) throw unknown(ref);
  return project;
}
