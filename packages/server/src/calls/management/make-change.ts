import type { FastifyRequest } from 'fastify';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { isPlainHere } from '../../platform/http/from-this-machine.ts';
import { originOf } from '../request-context.ts';
import type { AuditLog, AuditNote, ManagementContext } from './context.ts';

export interface ChangeDeps {
  readonly control: ControlDb;
  readonly audit: AuditLog;
  /** Resolves when this node has heard what has changed: whoever is answered finds it so. */
  readonly caughtUp: () => Promise<unknown>;
}

interface Change<Made> {
  readonly request: FastifyRequest;
  readonly action: string;
  readonly run: (context: ManagementContext) => Promise<Made>;
}

/** Makes a change and writes it into the audit log: both are committed, or neither is. */
export async function makeChange<Made extends { readonly audit?: AuditNote }>(
  { audit, caughtUp }: ChangeDeps,
  context: ManagementContext,
  { request, action, run }: Change<Made>,
): Promise<Made> {
  const { caller, membership } = context;
  const made = await context.control.transaction(async (control) => {
    const made = await run({ ...context, control });
    await audit.record(control, {
      action,
      projectId: membership?.projectId,
      accountId: caller?.account.id,
      tokenId: caller?.token?.id,
      ...made.audit,
      address: context.from.address,
      requestId: request.id,
    });
    return made;
  });
  await caughtUp();
  return made;
}

/** On whose behalf a call is made, as the gate has found out. */
export function contextOf(request: FastifyRequest, control: ControlDb): ManagementContext {
  const { account } = request;
  if (!account) throw new Error('A route of management ran without its gate.');
  return {
    control,
    caller: account.caller,
    membership: account.membership,
    from: originOf(request),
    log: request.log,
    isPlain: isPlainHere(request),
  };
}
