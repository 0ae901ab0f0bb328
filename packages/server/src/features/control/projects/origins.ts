import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidSetting } from './errors.ts';
import { getProject, requireFound } from './find-project.ts';
import { deleteOrigin, insertOrigin, saveOrigins } from './store.ts';

const mostOrigins = 200;

/** Replaces the list of origins whose pages may call the project. */
export async function setOrigins(
  control: ControlDb,
  ref: string,
  origins: readonly string[],
): Promise<ProjectRecord> {
  return requireFound(ref, await saveOrigins(control, ref, checkOrigins(origins)));
}

/** Lets the pages of one more origin call the project. */
export async function addOrigin(control: ControlDb, ref: string, origin: string): Promise<ProjectRecord> {
  checkOrigins([origin]);
  return requireFound(ref, await insertOrigin(control, ref, origin));
}

export async function removeOrigin(control: ControlDb, ref: string, origin: string): Promise<ProjectRecord> {
  const project = await getProject(control, ref);
  if (!project.allowedOrigins.includes(origin))
    throw invalidSetting('allowedOrigins', `"${origin}" is not one of the allowed origins.`);
  return requireFound(ref, await deleteOrigin(control, ref, origin));
}

/** Checks that each is a full origin, as a browser sends it in the Origin header. */
export function checkOrigins(origins: readonly string[]): string[] {
  if (origins.length > mostOrigins)
    throw invalidSetting('allowedOrigins', `A project can have at most ${mostOrigins} origins.`);
  for (const origin of origins) {
    if (origin === '*')
      throw invalidSetting('allowedOrigins', 'The wildcard * is not supported: list each origin.');
    if (!isOrigin(origin)) {
      throw invalidSetting(
        'allowedOrigins',
        `"${origin}" is not an origin. Write scheme and host, e.g. https://app.example.com or http://localhost:5173.`,
      );
    }
  }
  return [...new Set(origins)];
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
