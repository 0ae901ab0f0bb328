import { defineError } from '../../../platform/errors.ts';

export const noInvitation = defineError(
  'invitation_not_found',
  () => 'There is no such invitation: it was used, taken back, or has expired. Ask the owner for another.',
);
export const notYourInvitation = defineError(
  'invitation_for_another',
  (email: string) =>
    `This invitation is for another e-mail address than ${email}. Sign in with the account it was sent to.`,
);
export const alreadyMember = defineError(
  'already_member',
  (email: string) => `${email} works on this project already.`,
);
export const noMember = defineError(
  'member_not_found',
  () =>
    'Nobody with this id works on the project as a teammate. List the team: GET /management/projects/{ref}/team.',
);
export const ownerStays = defineError(
  'owner_required',
  () =>
    'The owner cannot leave. Give the project to a teammate first: POST /management/projects/{ref}/transfer.',
);
export const tooManyInvitations = defineError(
  'too_many_invitations',
  () =>
    'At most 100 invitations of a project wait at once, and each is mailed at most 5 times. Take some back, or wait until they expire.',
);
