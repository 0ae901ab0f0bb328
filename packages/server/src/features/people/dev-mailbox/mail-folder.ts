import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Project } from '../../../calls/index.ts';

/** A message of `plinth dev` that was kept instead of sent. */
const keptSchema = Type.Object({
  kind: Type.Union([Type.Literal('mail'), Type.Literal('text message')]),
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.Optional(Type.String()),
  project: Type.String(),
  at: Type.String(),
});

type KeptMessage = Static<typeof keptSchema>;

export type ListedMessage = KeptMessage & { readonly name: string };

const mostKept = 200;

/** Keeps a message as a file, and removes the oldest ones. */
export async function keepInFolder(
  folder: string,
  project: Pick<Project, 'name'>,
  message: Omit<KeptMessage, 'project' | 'at'> & { readonly key: string },
): Promise<void> {
  const { key, ...rest } = message;
  const kept: KeptMessage = { ...rest, project: project.name, at: new Date().toISOString() };
  await mkdir(folder, { recursive: true });
  const name = `${kept.at.replace(/\W/g, '')}-${key}.json`;
  const draft = join(folder, `.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(kept));
  await rename(draft, join(folder, name));
  const names = await listNames(folder);
  await Promise.all(names.slice(mostKept).map((old) => rm(join(folder, old), { force: true })));
}

/** The newest first. */
export async function listKept(folder: string): Promise<ListedMessage[]> {
  const names = await listNames(folder);
  return Promise.all(
    names.slice(0, mostKept).map(async (name) => ({
      ...Value.Parse(keptSchema, JSON.parse(await readFile(join(folder, name), 'utf8'))),
      name,
    })),
  );
}

async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\w+-[\w-]+\.json$/.test(name)).toSorted((a, b) => (a < b ? 1 : -1));
}
