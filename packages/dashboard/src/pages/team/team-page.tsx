import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { projectsQuery } from '../../api/projects.ts';
import { invitationsQuery, type Member, teamQuery, useLeave, useRemoveTeammate } from '../../api/team.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { Invitations } from './invitations.tsx';

const { team: words } = texts;

export function TeamPage() {
  const { ref } = useProject();
  const { isPending: isTeamPending } = useQuery(teamQuery(ref));
  const { isPending: areInvitationsPending } = useQuery(invitationsQuery(ref));
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <Members />
      {/* What is below a list waits for it: a button that moves is missed by whoever clicks. */}
      {!isTeamPending && <Invitations />}
      {!isTeamPending && !areInvitationsPending && <Leave />}
    </Page>
  );
}

function Members() {
  const { ref, role } = useProject();
  const { data: team, error, refetch } = useQuery(teamQuery(ref));
  const [asked, setAsked] = useState<Member>();
  return (
    <Section title={words.members}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!team && !error && <Wait />}
      {team && (
        <Rows>
          {team.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              {...(role === 'owner' && member.role === 'teammate' && { onRemove: () => setAsked(member) })}
            />
          ))}
        </Rows>
      )}
      {asked && <RemoveDialog projectRef={ref} member={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly onRemove?: () => void;
}

function MemberRow({ member: { id, email, name, role, since }, onRemove }: MemberRowProps) {
  const account = useAccount();
  const facts = words.since(when(since));
  return (
    <Row
      title={
        <>
          {name === '' ? email : name}{' '}
          <Tag tone={role === 'owner' ? 'good' : 'plain'}>{words.roles[role]}</Tag>{' '}
          {id === account.id && <Tag>{words.you}</Tag>}
        </>
      }
      facts={name === '' ? facts : `${email}, ${facts}`}
    >
      {onRemove && (
        <button type="button" data-kind="danger" aria-label={words.removeOne(email)} onClick={onRemove}>
          {words.remove}
        </button>
      )}
    </Row>
  );
}

interface RemoveDialogProps {
  readonly projectRef: string;
  readonly member: Member;
  readonly onClose: () => void;
}

function RemoveDialog({ projectRef, member: { id, email }, onClose }: RemoveDialogProps) {
  const remove = useRemoveTeammate(projectRef);
  const say = useToast();
  return (
    <Confirm
      title={words.removeOne(email)}
      text={words.removeText}
      button={words.remove}
      isPending={remove.isPending}
      error={remove.error}
      onSend={() =>
        remove.mutate(id, {
          onSuccess: () => {
            say({ text: words.removed(email) });
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}

function Leave() {
  const { ref, name, role } = useProject();
  const leave = useLeave(ref);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const goAway = () =>
    void navigate({ to: '/' }).then(() => {
      queries.removeQueries({ queryKey: ['projects', ref] });
      say({ text: words.left(name) });
      return queries.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    });
  return (
    <Section title={words.leave}>
      {role === 'owner' ? (
        <p>
          {words.ownerStays}{' '}
          <Link to="/p/$ref/settings" params={{ ref }} search={{ part: 'end' }}>
            {texts.settings.parts.end}
          </Link>
        </p>
      ) : (
        <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
          {words.leave}
        </button>
      )}
      {isAsking && (
        <Confirm
          title={words.leave}
          text={words.leaveText}
          button={words.leave}
          isPending={leave.isPending}
          error={leave.error}
          onSend={() => leave.mutate(undefined, { onSuccess: goAway })}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
