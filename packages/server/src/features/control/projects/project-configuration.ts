import { isDeepStrictEqual } from 'node:util';
import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { readConfig, setConfig, unsetConfig } from './configs.ts';
import { checkOrigins, setOrigins } from './origins.ts';
import { checkRoomRules, setRooms } from './rooms.ts';
import {
  setBrowserKeys,
  setLanguage,
  setLogQueries,
  setResponseFormat,
  setTwoStepChoice,
  setUploads,
} from './settings.ts';
import { checkTestReceivers, setTestReceivers } from './test-receivers.ts';

type Settings = Required<ProjectRecord['settings']>;

/** What a project's people decide about it, defaults filled in; of the configs those that were set. */
export interface ProjectConfiguration {
  readonly settings: Settings;
  readonly configs: Readonly<Record<string, unknown>>;
  readonly allowedOrigins: readonly string[];
}

/** As somebody wrote it. */
interface GivenConfiguration {
  readonly settings?: Partial<Settings>;
  readonly configs?: Readonly<Record<string, string | number | boolean>>;
  readonly allowedOrigins?: readonly string[];
}

const defaults: Settings = {
  responseFormat: 'envelope',
  uploads: 'users',
  language: 'en',
  allow2faOptOut: false,
  rooms: {},
  testReceivers: [],
  logQueries: 'names',
  refuseBrowserKeys: false,
};

export function projectConfiguration(
  project: Pick<ProjectRecord, 'settings' | 'configs' | 'allowedOrigins'>,
): ProjectConfiguration {
  return {
    settings: { ...defaults, ...project.settings },
    configs: project.configs,
    allowedOrigins: project.allowedOrigins,
  };
}

/** Refuses what the project could not be given; what is left out of a part gets its default. */
export function checkProjectConfiguration(given: GivenConfiguration): Partial<ProjectConfiguration> {
  const { settings, configs, allowedOrigins } = given;
  return {
    ...(settings && { settings: checkSettings({ ...defaults, ...settings }) }),
    ...(configs && { configs: checkConfigs(configs) }),
    ...(allowedOrigins && { allowedOrigins: checkOrigins(allowedOrigins) }),
  };
}

function checkSettings(settings: Settings): Settings {
  const { rooms, testReceivers } = settings;
  return { ...settings, rooms: checkRoomRules(rooms), testReceivers: checkTestReceivers(testReceivers) };
}

function checkConfigs(configs: NonNullable<GivenConfiguration['configs']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configs).map(([name, value]) => [name, readConfig(name, String(value)).value]),
  );
}

interface Difference {
  readonly ref: string;
  readonly before: ProjectConfiguration;
  readonly after: ProjectConfiguration;
  readonly languages: readonly Settings['language'][];
}

/** Changes what differs, each in the way in which it is changed alone. Call it in a transaction. */
export async function applyProjectConfiguration(control: ControlDb, difference: Difference): Promise<void> {
  const { ref, before, after } = difference;
  for (const name of Object.keys(defaults)) {
    if (!isSetting(name) || isDeepStrictEqual(before.settings[name], after.settings[name])) continue;
    await setters[name](control, difference);
  }
  for (const name of Object.keys(before.configs))
    if (!Object.hasOwn(after.configs, name)) await unsetConfig(control, ref, name);
  for (const [name, value] of Object.entries(after.configs))
    if (!isDeepStrictEqual(before.configs[name], value)) await setConfig(control, ref, name, String(value));
  if (!isDeepStrictEqual(before.allowedOrigins, after.allowedOrigins))
    await setOrigins(control, ref, after.allowedOrigins);
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(defaults, name);

const setters: Readonly<
  Record<keyof Settings, (control: ControlDb, change: Difference) => Promise<unknown>>
> = {
  responseFormat: (control, { ref, after }) => setResponseFormat(control, ref, after.settings.responseFormat),
  uploads: (control, { ref, after }) => setUploads(control, ref, after.settings.uploads),
  language: (control, { ref, after, languages }) =>
    setLanguage(control, ref, { language: after.settings.language, supported: languages }),
  allow2faOptOut: (control, { ref, after }) => setTwoStepChoice(control, ref, after.settings.allow2faOptOut),
  rooms: (control, { ref, after }) => setRooms(control, ref, after.settings.rooms),
  testReceivers: (control, { ref, after }) => setTestReceivers(control, ref, after.settings.testReceivers),
  logQueries: (control, { ref, after }) => setLogQueries(control, ref, after.settings.logQueries),
  refuseBrowserKeys: (control, { ref, after }) =>
    setBrowserKeys(control, ref, after.settings.refuseBrowserKeys ? 'refuse' : 'answer'),
};
