import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type UserSession,
  useEndUserSession,
  useEndUserSessions,
  userSessionsQuery,
} from '../../api/user-sign-ins.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import css from './user-page.module.css';

const { userSignIns: words } = texts;

interface OfUser {
  readonly projectRef: string;
  readonly userId: string;
}

/** Where somebody is signed in; what has ended is not there any more. */
export function UserSessions({ projectRef, userId }: OfUser) {
  const { data: sessions, error } = useQuery(userSessionsQuery(projectRef, userId));
  const end = useEndUserSession(projectRef, userId);
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={words.sessions} lead={words.sessionsText}>
      {error && <Problem error={error} />}
      {end.error && <Problem error={end.error} />}
      {!sessions && !error && <Wait lines={2} />}
      {sessions?.length === 0 && <p>{words.noSessions}</p>}
      {sessions && sessions.length > 0 && (
        <>
          <Rows>
            {sessions.map((session) => (
              <Row key={session.id} title={nameOf(session)} facts={factsOf(session)}>
                <button
                  type="button"
                  aria-label={words.endOne(nameOf(session))}
                  disabled={end.isPending}
                  onClick={() => end.mutate(session.id, { onSuccess: () => say({ text: words.endedOne }) })}
                >
                  {words.end}
                </button>
              </Row>
            ))}
          </Rows>
          <div className={css.buttons}>
            <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
              {words.endAll}
            </button>
          </div>
        </>
      )}
      {isAsking && <EndAll projectRef={projectRef} userId={userId} onClose={() => setAsking(false)} />}
    </Section>
  );
}

const nameOf = ({ device }: UserSession): string => device ?? words.unknownDevice;

function factsOf({ method, address, createdAt, lastUsedAt }: UserSession): string {
  return [
    words.begun(when(createdAt), wordsOf(method)),
    ...(lastUsedAt === createdAt ? [] : [words.used(when(lastUsedAt))]),
    ...(address ? [address] : []),
  ].join(', ');
}

/** `password+totp` in words; the names of providers stay as they are. */
function wordsOf(method: string): string {
  const known: Readonly<Record<string, string>> = words.methods;
  return method
    .split('+')
    .map((part) => known[part] ?? part)
    .join(words.and);
}

function EndAll({ projectRef, userId, onClose }: OfUser & { readonly onClose: () => void }) {
  const endAll = useEndUserSessions(projectRef, userId);
  const say = useToast();
  const done = () => {
    onClose();
    say({ text: words.endedAll });
  };
  return (
    <Confirm
      title={words.endAll}
      text={words.endAllText}
      button={words.endAll}
      isPending={endAll.isPending}
      error={endAll.error}
      onSend={() => endAll.mutate(undefined, { onSuccess: done })}
      onClose={onClose}
    />
  );
}
