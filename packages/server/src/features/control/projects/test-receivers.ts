import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidSetting } from './errors.ts';
import { requireFound } from './find-project.ts';
import { saveSettings } from './store.ts';

const most = 20;

/** Says who may be sent test mails through the deployment’s mail server. Replaces all earlier ones. */
export async function setTestReceivers(
  control: ControlDb,
  ref: string,
  receivers: readonly string[],
): Promise<ProjectRecord> {
  return requireFound(
    ref,
    await saveSettings(control, ref, { testReceivers: checkTestReceivers(receivers) }),
  );
}

export function checkTestReceivers(receivers: readonly string[]): string[] {
  const odd = receivers.find((receiver) => !/^[^\s@<>]+@[^\s@<>]+$/.test(receiver));
  if (odd !== undefined) throw invalidSetting('testReceivers', `"${odd}" is not a valid email address.`);
  if (receivers.length > most)
    throw invalidSetting('testReceivers', `A project can have at most ${most} test recipients.`);
  return [...new Set(receivers.map((receiver) => receiver.toLowerCase()))];
}
