import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { createProject, isCurrentKey } from '../features/control/projects/index.ts';
import type { Config } from '../platform/config/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { withCells } from './with-cells.ts';

const devProject = Type.Object({ projectRef: Type.String(), apiKey: Type.String() });

export type DevProject = Static<typeof devProject>;

/** Sign-ins may lead back to the usual development servers from the start. */
const devOrigins = [3000, 4200, 4321, 5173, 8080].map((port) => `http://localhost:${port}`);

/** The project of this data folder: stored with its key, so that both are the same at every start. */
export async function firstProject(
  config: Config,
  folder: string,
): Promise<{ project: DevProject; isNew: boolean }> {
  const file = join(folder, 'project.json');
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    const known = existsSync(file) ? readProject(await readFile(file, 'utf8')) : undefined;
    if (known && (await isCurrentKey(control, known.projectRef, known.apiKey)))
      return { project: known, isNew: false };
    const { project, apiKey } = await createProject(control, {
      name: 'My first project',
      tier: config.DEFAULT_TIER,
      allowedOrigins: devOrigins,
    });
    const created = { projectRef: project.ref, apiKey };
    await writeFile(file, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 });
    return { project: created, isNew: true };
  });
}

function readProject(text: string): DevProject | undefined {
  const project: unknown = JSON.parse(text);
  return Value.Check(devProject, project) ? project : undefined;
}
