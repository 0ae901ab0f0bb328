import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { checkName } from './create-project.ts';
import { requireFound } from './find-project.ts';
import { saveName } from './store.ts';

/** Its address stays what it was: that is made of the ref. */
export async function renameProject(control: ControlDb, ref: string, name: string): Promise<ProjectRecord> {
  checkName(name);
  return requireFound(ref, await saveName(control, ref, name.trim()));
}
