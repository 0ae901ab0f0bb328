import { randomUUID } from 'node:crypto';
import { accountIn, type ManagementContext, projectIn } from '../../../calls/management/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { findProjects } from '../../control/index.ts';
import { emailKey, newToken, readEmail } from '../../people/index.ts';
import { type AccountMails, emailNotVerified, findAccounts, findByEmail } from '../accounts/index.ts';
import { alreadyMember, noInvitation, notYourInvitation, tooManyInvitations } from './errors.ts';
import {
  findInvitation,
  findInvitationOf,
  type Invitation,
  listInvitations,
  listInvitationsTo,
  removeInvitation,
  takeInvitation,
  upsertInvitation,
  type WhichInvitation,
} from './invitation-store.ts';
import { findRole, insertMember } from './member-store.ts';

/** Invitations of one project that wait, and mails of each. @limit too_many_invitations */
const limits = { mostWaiting: 100, mostMails: 5 };
const lastsS = 7 * 24 * 3600;

/** Invites somebody by e-mail to be a teammate. Without an account the invitation waits for one. */
export async function invite(mails: AccountMails, context: ManagementContext, text: string) {
  const { control } = context;
  const { projectId } = projectIn(context);
  const email = readEmail(text);
  const key = emailKey(email);
  const account = await findByEmail(control, key);
  if (account && (await findRole(control, account.id, projectId))) throw alreadyMember(email);
  const token = newToken();
  const invitation = await upsertInvitation(
    control,
    {
      id: randomUUID(),
      projectId,
      email,
      emailKey: key,
      hash: sha256(token),
      invitedBy: accountIn(context).id,
    },
    limits,
  );
  if (!invitation) throw tooManyInvitations();
  const [project] = await findProjects(control, [projectId]);
  if (mails.canSend) {
    const variables = { inviter: accountIn(context).email, project: project?.name ?? '' };
    await mails.send(control, { letter: 'invitation', to: email, page: 'join', token, variables, lastsS });
  }
  // Without a mail server the owner passes the link on.
  return { ...describe(invitation), ...(!mails.canSend && { link: mails.addressOf('join', token) }) };
}

/** Mails an invitation again, with a new link. */
export async function inviteAgain(mails: AccountMails, context: ManagementContext, id: string) {
  const invitation = await findInvitationOf(context.control, projectIn(context).projectId, id);
  if (!invitation) throw noInvitation();
  return invite(mails, context, invitation.email);
}

export async function listWaiting(context: ManagementContext) {
  const waiting = await listInvitations(context.control, projectIn(context).projectId);
  return waiting.map(describe);
}

/** Takes an invitation back. Returns the address it was for. */
export async function takeBack(context: ManagementContext, id: string): Promise<string> {
  const removed = await removeInvitation(context.control, projectIn(context).projectId, id);
  if (!removed) throw noInvitation();
  return removed.email;
}

/** What the link of an invitation is about, for whoever holds it. */
export async function lookAt({ control }: ManagementContext, token: string) {
  const invitation = await findInvitation(control, sha256(token));
  const [told] = invitation ? await tell(control, [invitation]) : [];
  if (!told) throw noInvitation();
  return told;
}

/** Invitations to the account that makes the call. */
export async function listOwn(context: ManagementContext) {
  const { email, isVerified } = accountIn(context);
  if (!isVerified) return [];
  return tell(context.control, await listInvitationsTo(context.control, emailKey(email)));
}

/** Makes the account a teammate of the project that invites it. Each invitation works once. */
export async function accept(
  context: ManagementContext,
  given: { readonly token: string } | { readonly id: string },
): Promise<Invitation> {
  const { control } = context;
  const { id: accountId, email, isVerified } = accountIn(context);
  if (!isVerified) throw emailNotVerified();
  const which: WhichInvitation = 'token' in given ? { hash: sha256(given.token) } : given;
  const taken = await takeInvitation(control, which, emailKey(email));
  if (!taken) {
    const isOthers = 'hash' in which && (await findInvitation(control, which.hash));
    throw isOthers ? notYourInvitation(email) : noInvitation();
  }
  await insertMember(control, { projectId: taken.projectId, accountId, role: 'teammate' });
  return taken;
}

/** Whether a token is of an invitation to this address: whoever has it can read the mails there. */
export async function isInvited(control: ControlDb, token: string, key: string): Promise<boolean> {
  return (await findInvitation(control, sha256(token)))?.emailKey === key;
}

/** Whether an invitation waits for whoever has this address. */
export async function isAwaited(control: ControlDb, key: string): Promise<boolean> {
  return (await listInvitationsTo(control, key)).length > 0;
}

const describe = ({ id, email, createdAt, expiresAt }: Invitation) => ({ id, email, createdAt, expiresAt });

async function tell(control: ControlDb, invitations: readonly Invitation[]) {
  const projects = await findProjects(
    control,
    invitations.map(({ projectId }) => projectId),
  );
  const inviters = await findAccounts(
    control,
    invitations.flatMap(({ invitedBy }) => invitedBy ?? []),
  );
  return invitations.flatMap((invitation) => {
    const project = projects.find(({ id }) => id === invitation.projectId);
    if (!project) return [];
    const inviter = inviters.find(({ id }) => id === invitation.invitedBy);
    const { ref, name } = project;
    return [{ ...describe(invitation), project: { ref, name }, invitedBy: inviter?.email ?? null }];
  });
}
