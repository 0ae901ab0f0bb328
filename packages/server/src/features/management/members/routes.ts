import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import { type AccountMails, nothing, strict } from '../accounts/index.ts';
import { accept, invite, inviteAgain, listOwn, listWaiting, lookAt, takeBack } from './invitations.ts';
import type { ProjectQuota } from './project-quota.ts';
import {
  aboutInvitation,
  byId,
  email,
  invitation,
  invitationParams,
  madeInvitation,
  member,
  refParams,
  token,
} from './schemas.ts';
import { leave, listTeam, removeFromTeam, transfer } from './team.ts';

const tag = 'Teams';
const none = { status: 200, data: nothing } as const;

interface MemberRouteDeps {
  readonly mails: AccountMails;
  readonly quota: ProjectQuota;
}

export function addMemberRoutes(routes: ManagementRoutes, deps: MemberRouteDeps): void {
  addTeamRoutes(routes, deps);
  addInvitationRoutes(routes, deps);
  addOwnInvitationRoutes(routes);
}

function addTeamRoutes(routes: ManagementRoutes, { quota }: MemberRouteDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/team',
      tag,
      operationId: 'listTeam',
      summary: 'List the members of a project',
      description: 'The owner and the teammates; the owner comes first.',
      params: refParams,
      answers: { status: 200, data: Type.Array(member) },
    },
    async (context) => ok(await listTeam(context)),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/projects/:ref/team/:account',
      tag,
      operationId: 'removeTeammate',
      summary: 'Remove a teammate',
      description: 'The teammate loses access from the next request on, on every node.',
      params: byId('account', 'The id of the account.'),
      answers: none,
      failures: [404],
    },
    async (context, { params }) => {
      await removeFromTeam(context, params.account);
      return { ...ok(null), audit: { target: params.account } };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/leave',
      tag,
      operationId: 'leaveProject',
      summary: 'Leave a project',
      description: 'For teammates. The owner must transfer the project to someone else first.',
      params: refParams,
      answers: none,
    },
    async (context) => {
      await leave(context);
      return ok(null);
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/transfer',
      tag,
      operationId: 'transferProject',
      summary: 'Transfer a project to a teammate',
      description:
        'The teammate becomes its owner, and you become a teammate. Requires a sign-in within the last 15 minutes.',
      params: refParams,
      body: Type.Object(
        { account: Type.String({ format: 'uuid', description: 'The id of a teammate’s account.' }) },
        strict,
      ),
      answers: none,
      failures: [404],
    },
    async (context, { body }) => {
      await transfer(quota, context, body.account);
      return { ...ok(null), audit: { target: body.account } };
    },
  );
}

function addInvitationRoutes(routes: ManagementRoutes, { mails }: MemberRouteDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/invitations',
      tag,
      operationId: 'listInvitations',
      summary: 'List pending invitations',
      description: 'Those who were invited to the project and have not accepted yet.',
      params: refParams,
      answers: { status: 200, data: Type.Array(invitation) },
    },
    async (context) => ok(await listWaiting(context)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/invitations',
      tag,
      operationId: 'inviteTeammate',
      summary: 'Invite someone by email',
      description:
        'The email has a link that can be used once, within 7 days, for an account with this address. Someone without an account can create one there. If no email can be sent, the response has the link.',
      params: refParams,
      body: Type.Object({ email }, strict),
      answers: { status: 201, data: madeInvitation },
    },
    async (context, { body }) => {
      const made = await invite(mails, context, body.email);
      return { ...created(made), audit: { target: made.email } };
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/invitations/:id/resend',
      tag,
      operationId: 'resendInvitation',
      summary: 'Resend an invitation',
      description: 'Sends it with a new link; the previous one stops working.',
      params: invitationParams,
      answers: { status: 200, data: madeInvitation },
      failures: [404],
    },
    async (context, { params }) => {
      const made = await inviteAgain(mails, context, params.id);
      return { ...ok(made), audit: { target: made.email } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/projects/:ref/invitations/:id',
      tag,
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'It can no longer be accepted: its link stops working.',
      params: invitationParams,
      answers: none,
      failures: [404],
    },
    async (context, { params }) => ({
      ...ok(null),
      audit: { target: await takeBack(context, params.id) },
    }),
  );
}

function addOwnInvitationRoutes(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/invitations',
      tag,
      operationId: 'listOwnInvitations',
      summary: 'List the projects that invite you',
      description: 'Invitations to the confirmed email address of your account.',
      answers: { status: 200, data: Type.Array(aboutInvitation) },
    },
    async (context) => ok(await listOwn(context)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/invitations/look-up',
      isRead: true,
      tag,
      operationId: 'lookUpInvitation',
      summary: 'See what an invitation is for',
      description: 'Takes the token of its link, which stays valid.',
      body: Type.Object({ token }, strict),
      answers: { status: 200, data: aboutInvitation },
      failures: [404],
    },
    async (context, { body }) => ok(await lookAt(context, body.token)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/invitations/accept',
      tag,
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Takes the token of its link, or the `id` of an invitation in your list. It can be used once, by an account with the address it was sent to.',
      body: Type.Union([
        Type.Object({ token }, strict),
        Type.Object(
          { id: Type.String({ format: 'uuid', description: 'The id of an invitation in your list.' }) },
          strict,
        ),
      ]),
      answers: none,
      failures: [404],
    },
    async (context, { body }) => {
      const { projectId, id } = await accept(context, body);
      return { ...ok(null), audit: { projectId, target: id } };
    },
  );
}
