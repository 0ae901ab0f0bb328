import { useQuery } from '@tanstack/react-query';
import { type OwnInvitation, ownInvitationsQuery, useAccept } from '../../api/team.ts';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';

const { projects: words } = texts;

/** Projects that wait for whoever is signed in to join. */
export function OwnInvitations() {
  const { data: invitations = [], error } = useQuery(ownInvitationsQuery);
  if (error) return <Problem error={error} />;
  if (invitations.length === 0) return null;
  return (
    <Section title={words.invitations}>
      <Rows>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Rows>
    </Section>
  );
}

function InvitationRow({ invitation }: { readonly invitation: OwnInvitation }) {
  const { id, project, invitedBy, expiresAt } = invitation;
  const accept = useAccept();
  const say = useToast();
  return (
    <Row title={project.name} facts={words.invitedBy(invitedBy ?? words.somebody, when(expiresAt))}>
      <button
        type="button"
        data-kind="main"
        aria-label={words.acceptOne(project.name)}
        disabled={accept.isPending}
        onClick={() => accept.mutate(id, { onSuccess: () => say({ text: words.accepted(project.name) }) })}
      >
        {words.accept}
      </button>
      {accept.error && <Problem error={accept.error} />}
    </Row>
  );
}
