import type { RequestContext } from '../../calls/index.ts';
import { mapWithRests } from '../../platform/concurrency/yielder.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { getProject, listEnv, listProjectSecrets, projectConfiguration } from '../control/index.ts';
import { type Collection, formatIndexField, listCollections, measureCollections } from '../data/index.ts';
import { listTemplates } from '../people/index.ts';
import {
  type AskedIndex,
  type Configuration,
  collectionConfiguration,
  inOrder,
  isAskedKind,
  mailText,
  versionOf,
} from './configuration.ts';
import { configurationTooLarge } from './errors.ts';

/** Collections in a configuration that is read or changed as a whole. @limit configuration_too_large */
const mostCollections = 1000;
/** The settings of all collections in such a configuration. @limit configuration_too_large bytes */
const mostBytes = 4 * 1_048_576;

export type CollectionNow = Collection & { readonly documentCount: string };

/** What a project has now. */
export interface Current {
  readonly project: { readonly ref: string; readonly name: string };
  readonly configuration: Configuration;
  readonly version: string;
  readonly collections: ReadonlyMap<string, CollectionNow>;
  readonly env: readonly string[];
  readonly services: readonly string[];
}

/** Reads the whole configuration, from the databases and not from what this node remembers. */
export async function readCurrent(
  control: ControlDb,
  { project: { id, ref } }: Pick<RequestContext, 'project'>,
  db: ProjectDb,
): Promise<Current> {
  const project = await getProject(control, ref);
  const collections = await readCollections(db);
  const texts = await listTemplates(db);
  const { settings, configs, allowedOrigins } = projectConfiguration(project);
  const configuration: Configuration = {
    settings: { ...settings, rooms: inOrder(settings.rooms) },
    configs: inOrder(configs),
    allowedOrigins,
    collections: Object.fromEntries(
      await mapWithRests(id, collections, (one) => [
        one.name,
        collectionConfiguration(one.settings, askedIndexes(one)),
      ]),
    ),
    mails: inOrder(
      Object.fromEntries(texts.map((text) => [`${text.name}.${text.language}`, mailText(text)])),
    ),
  };
  return {
    project: { ref, name: project.name },
    configuration,
    version: versionOf(configuration),
    collections: new Map(collections.map((one) => [one.name, one])),
    env: await listEnv(control, ref),
    services: await listProjectSecrets(control, project),
  };
}

async function readCollections(db: ProjectDb): Promise<CollectionNow[]> {
  const size = await measureCollections(db);
  if (size.collections > mostCollections)
    throw configurationTooLarge(`${size.collections} collections`, `${mostCollections}`);
  if (size.bytes > mostBytes)
    throw configurationTooLarge(`settings of ${size.bytes} bytes`, `${mostBytes} bytes`);
  return listCollections(db, { limit: mostCollections, offset: 0 });
}

function askedIndexes({ indexes }: Collection): AskedIndex[] {
  return indexes.flatMap(({ kind, fields, isAutomatic, state }) =>
    isAutomatic || state === 'dropping' || !isAskedKind(kind)
      ? []
      : [{ kind, fields: fields.map(formatIndexField) }],
  );
}
