import { defineError } from '../../../platform/errors.ts';

export const noInvitation = defineError(
  'invitation_not_found',
  () => 'This invitation was used, was revoked, or has expired. Ask the owner for another one.',
);
export const notYourInvitation = defineError(
  'invitation_for_another',
  (email: string) => `This invitation is not for ${email}. Sign in with the account it was sent to.`,
);
export const alreadyMember = defineError(
  'already_member',
  (email: string) => `${email} is already a member of this project.`,
);
export const noMember = defineError(
  'member_not_found',
  () => 'The project has no member with this id. List the team: GET /management/projects/{ref}/team.',
);
export const ownerStays = defineError(
  'owner_required',
  () =>
    'The owner cannot leave the project. Transfer it to a teammate first: POST /management/projects/{ref}/transfer.',
);
export const tooManyInvitations = defineError(
  'too_many_invitations',
  () =>
    'A project can have at most 100 pending invitations, and each can be emailed at most 5 times. Revoke some, or wait until they expire.',
);
