import type { ControlDb } from '../../../platform/db/control-db.ts';
import { findProjects } from '../../control/index.ts';
import { type AccountMails, findAccounts } from '../accounts/index.ts';
import { auditLog } from '../audit/index.ts';
import { findOwner } from '../members/index.ts';

/** Somebody who was told what happens in a project, and is told no more. */
export interface DisabledSubscriber {
  readonly projectId: string;
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
  readonly error: string;
}

const lastsS = 3 * 24 * 3600;

/** The reasons that are no decision of the team, in words. */
const words: Readonly<Record<string, string>> = {
  gone: 'its endpoint says that it is permanently gone (410)',
  failing: 'it has been failing for five days',
  too_many_waiting: 'it is failing, and too many events are waiting for it',
};

/** Writes into the audit log that the service has disabled something by itself, and mails the owner. */
export async function tellDisabled(
  mails: AccountMails,
  control: ControlDb,
  { projectId, kind, name, reason, error }: DisabledSubscriber,
): Promise<void> {
  await control.transaction(async (control) => {
    const entry = { action: `${kind}Disabled`, projectId, target: name, details: { reason, error } };
    await auditLog.record(control, { ...entry, address: '', requestId: '' });
    if (!mails.canSend) return;
    const [project] = await findProjects(control, [projectId]);
    const owner = await findOwner(control, projectId);
    const [account] = owner === undefined ? [] : await findAccounts(control, [owner]);
    if (!project || !account) return;
    const variables = { kind, project: project.name, reason: words[reason] ?? reason, error };
    const path = `/p/${project.ref}/audit` as const;
    await mails.tell(control, { letter: 'subscriber-disabled', to: account.email, path, variables, lastsS });
  });
}
