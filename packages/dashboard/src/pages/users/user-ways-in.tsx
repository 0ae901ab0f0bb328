import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../../api/management.ts';
import {
  type UserPasskey,
  useRemoveWayIn,
  userIdentitiesQuery,
  userPasskeysQuery,
} from '../../api/user-sign-ins.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';

const { userSignIns: words } = texts;

interface OfUser {
  readonly projectRef: string;
  readonly userId: string;
}

/** What signs somebody in beside a password. */
export function UserWaysIn({ projectRef, userId }: OfUser) {
  const identities = useQuery(userIdentitiesQuery(projectRef, userId));
  const passkeys = useQuery(userPasskeysQuery(projectRef, userId));
  const error = identities.error ?? passkeys.error;
  const isThere = identities.data && passkeys.data;
  const of = { projectRef, userId };
  return (
    <Section title={words.waysIn} lead={words.waysInText}>
      {error && <Problem error={error} />}
      {!isThere && !error && <Wait lines={2} />}
      {isThere && identities.data.length + passkeys.data.length === 0 && <p>{words.noWaysIn}</p>}
      {isThere && identities.data.length + passkeys.data.length > 0 && (
        <Rows>
          {identities.data.map(({ provider, email, createdAt }) => (
            <Row
              key={`${provider} ${email}`}
              title={words.providerNames[provider] ?? provider}
              facts={words.connected(email, when(createdAt))}
            >
              <RemoveWayIn
                {...of}
                part="identities"
                item={provider}
                name={words.providerNames[provider] ?? provider}
              />
            </Row>
          ))}
          {passkeys.data.map((passkey) => (
            <Row key={passkey.id} title={words.passkey(passkey.name)} facts={factsOf(passkey)}>
              <RemoveWayIn {...of} part="passkeys" item={passkey.id} name={words.passkey(passkey.name)} />
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  );
}

function factsOf({ createdAt, lastUsedAt, backedUp }: UserPasskey): string {
  return [
    words.made(when(createdAt)),
    lastUsedAt === null ? words.neverUsed : words.used(when(lastUsedAt)),
    ...(backedUp ? [words.synced] : []),
  ].join(', ');
}

interface RemoveWayInProps extends OfUser {
  readonly part: 'identities' | 'passkeys';
  readonly item: string;
  readonly name: string;
}

function RemoveWayIn({ projectRef, userId, part, item, name }: RemoveWayInProps) {
  const remove = useRemoveWayIn(projectRef, userId, part);
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  // The service keeps the last way in until somebody says that it is meant.
  const isLast = remove.error instanceof Refusal && remove.error.code === 'last_login_way';
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  const done = () => {
    close();
    say({ text: words.removed(name) });
  };
  return (
    <>
      <button
        type="button"
        data-kind="danger"
        aria-label={words.removeOne(name)}
        onClick={() => setAsking(true)}
      >
        {words.remove}
      </button>
      {isAsking && (
        <Confirm
          title={words.removeOne(name)}
          text={isLast ? words.lastText : words.removeText}
          // A second click that comes too soon must not be taken for a yes.
          {...(isLast && { name })}
          button={isLast ? words.removeLast : words.remove}
          isPending={remove.isPending}
          error={isLast ? null : remove.error}
          onSend={() => remove.mutate({ item, isEvenLast: isLast }, { onSuccess: done })}
          onClose={close}
        />
      )}
    </>
  );
}
