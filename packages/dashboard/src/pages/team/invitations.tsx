import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Invitation,
  invitationsQuery,
  type MadeInvitation,
  useInvite,
  useResend,
  useWithdraw,
} from '../../api/team.ts';
import { useProject } from '../../frame/use-project.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import css from './team.module.css';

const { team: words } = texts;

/** Who is invited. Where no mail is sent, the link is shown to whoever invites. */
export function Invitations() {
  const { ref, role } = useProject();
  const { data: invitations, error } = useQuery(invitationsQuery(ref));
  const say = useToast();
  const [made, setMade] = useState<MadeInvitation>();
  const tell = (text: string) => (invitation: MadeInvitation) => {
    if (invitation.link === undefined) say({ text });
    else setMade(invitation);
  };
  return (
    <Section title={words.invitations} lead={words.invitationsText}>
      {error && <Problem error={error} />}
      {invitations?.length === 0 && <p>{words.noInvitations}</p>}
      {invitations && invitations.length > 0 && (
        <Rows>
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              projectRef={ref}
              invitation={invitation}
              isOwner={role === 'owner'}
              onResent={tell(words.resent(invitation.email))}
            />
          ))}
        </Rows>
      )}
      {role === 'owner' ? (
        <InviteForm
          projectRef={ref}
          onInvited={(invitation) => tell(words.invited(invitation.email))(invitation)}
        />
      ) : (
        <p>{words.ownerInvites}</p>
      )}
      {made?.link !== undefined && (
        <Dialog title={words.link(made.email)} onClose={() => setMade(undefined)}>
          <p>{words.linkText}</p>
          <Copyable text={made.link} label={words.link(made.email)} />
        </Dialog>
      )}
    </Section>
  );
}

interface InviteFormProps {
  readonly projectRef: string;
  readonly onInvited: (invitation: MadeInvitation) => void;
}

function InviteForm({ projectRef, onInvited }: InviteFormProps) {
  const invite = useInvite(projectRef);
  const [email, setEmail] = useState('');
  return (
    <form
      className={css.line}
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate(email, {
          onSuccess: (invitation) => {
            setEmail('');
            onInvited(invitation);
          },
        });
      }}
    >
      <Field
        label={words.email}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        mistake={invite.error?.message}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <button data-kind="main" disabled={invite.isPending}>
        {words.invite}
      </button>
    </form>
  );
}

interface InvitationRowProps {
  readonly projectRef: string;
  readonly invitation: Invitation;
  readonly isOwner: boolean;
  readonly onResent: (invitation: MadeInvitation) => void;
}

function InvitationRow({ projectRef, invitation, isOwner, onResent }: InvitationRowProps) {
  const { id, email, expiresAt } = invitation;
  const resend = useResend(projectRef);
  const withdraw = useWithdraw(projectRef);
  const say = useToast();
  const error = resend.error ?? withdraw.error;
  return (
    <Row title={email} facts={words.expires(when(expiresAt))}>
      <div className={css.buttons}>
        <button
          type="button"
          aria-label={words.resendOne(email)}
          disabled={!isOwner || resend.isPending}
          onClick={() => resend.mutate(id, { onSuccess: onResent })}
        >
          {words.resend}
        </button>
        <button
          type="button"
          data-kind="danger"
          aria-label={words.withdrawOne(email)}
          disabled={!isOwner || withdraw.isPending}
          onClick={() => withdraw.mutate(id, { onSuccess: () => say({ text: words.withdrawn(email) }) })}
        >
          {words.withdraw}
        </button>
      </div>
      {error && <Problem error={error} />}
    </Row>
  );
}
