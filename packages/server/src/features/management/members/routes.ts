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
      summary: 'List who works on a project',
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
      description: 'From the next call on the service refuses the teammate, on every node.',
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
      description: 'For teammates. The owner gives the project to somebody else first.',
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
      summary: 'Give a project to a teammate',
      description:
        'The teammate becomes its owner, and you a teammate. Needs a sign-in of the last 15 minutes.',
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
      summary: 'List who is invited',
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
      summary: 'Invite somebody by e-mail',
      description:
        'The mail has a link that works once, within 7 days, for an account with this address. Somebody without an account can make one there. Where no mail is sent, the answer has the link.',
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
      summary: 'Mail an invitation again',
      description: 'With a new link; the one before stops working.',
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
      summary: 'Take an invitation back',
      description: 'Nobody can accept it any more: its link stops working.',
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
      description: 'Invitations to the confirmed e-mail address of your account.',
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
      description: 'Takes what its link carries; nothing is used up.',
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
        'With what its link carries, or with the `id` of one that is addressed to you. It works once, for an account with the address it was sent to.',
      body: Type.Union([
        Type.Object({ token }, strict),
        Type.Object({ id: Type.String({ format: 'uuid', description: 'Of your list.' }) }, strict),
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
