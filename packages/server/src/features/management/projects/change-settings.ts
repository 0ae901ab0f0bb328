import { type ManagementContext, projectIn } from '../../../calls/management/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import {
  applyProjectConfiguration,
  checkProjectConfiguration,
  describeConfigs,
  getProject,
  lockProject,
  type ProjectConfiguration,
  projectConfiguration,
  setConfig,
  setProjectSecret,
  unsetConfig,
} from '../../control/index.ts';
import {
  checkMailSettings,
  checkProviderSettings,
  checkSmsSettings,
  isProviderName,
  supportedLanguages,
} from '../../people/index.ts';

type ConfigValue = string | number | boolean | null;

/** Sets configuration keys; null gives one its default again. */
export async function changeConfigs(
  context: ManagementContext,
  changes: Readonly<Record<string, ConfigValue>>,
) {
  const { control } = context;
  const { ref } = projectIn(context);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) await unsetConfig(control, ref, key);
    else await setConfig(control, ref, key, String(value));
  }
  return describeConfigs(await getProject(control, ref));
}

export async function readConfigs(context: ManagementContext) {
  return describeConfigs(await getProject(context.control, projectIn(context).ref));
}

type Settings = ProjectConfiguration['settings'];

/** Changes the settings that are named, and leaves the others. */
export async function changeSettings(context: ManagementContext, changes: Partial<Settings>): Promise<void> {
  const { control } = context;
  const { ref } = projectIn(context);
  const before = projectConfiguration(await lockProject(control, ref));
  const { settings } = checkProjectConfiguration({ settings: { ...before.settings, ...changes } });
  const after = { ...before, ...(settings && { settings }) };
  await applyProjectConfiguration(control, { ref, before, after, languages: supportedLanguages });
}

/** How the project uses another service: `mail`, `sms`, or `provider:{name}`. What is wrong with it is told. */
export async function setService(
  vault: Vault,
  context: ManagementContext,
  name: string,
  value: unknown,
): Promise<void> {
  const checked = checkerOf(name)(value);
  await setProjectSecret(context.control, vault, { ref: projectIn(context).ref, name, value: checked });
}

function checkerOf(name: string): (value: unknown) => unknown {
  if (name === 'mail') return checkMailSettings;
  if (name === 'sms') return checkSmsSettings;
  const provider = /^provider:(.+)$/.exec(name)?.[1] ?? '';
  if (isProviderName(provider)) return (value) => checkProviderSettings(provider, value);
  throw invalidBody('A service must be mail, sms, or provider:{name}, such as provider:google.');
}
