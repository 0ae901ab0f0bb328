import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSignOutEverywhere } from '../../api/account.ts';
import { sessionsQuery, useEndSession } from '../../api/account-details.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';

const { account: words } = texts;

export function Sessions() {
  const { data: sessions, error } = useQuery(sessionsQuery);
  const end = useEndSession();
  const endAll = useSignOutEverywhere();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={words.sessions}>
      {error && <Problem error={error} />}
      {end.error && <Problem error={end.error} />}
      <Rows>
        {sessions?.map(({ id, device, address, seenAt, current }) => (
          <Row key={id} title={capitalised(device)} facts={`${address}, ${words.lastUsed(when(seenAt))}`}>
            {current ? (
              <span>{words.thisOne}</span>
            ) : (
              <button type="button" disabled={end.isPending} onClick={() => end.mutate(id)}>
                {words.end}
              </button>
            )}
          </Row>
        ))}
      </Rows>
      <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
        {words.everywhere}
      </button>
      {isAsking && (
        <Confirm
          title={words.everywhere}
          text={words.everywhereText}
          button={words.everywhere}
          isPending={endAll.isPending}
          error={endAll.error}
          onSend={() => endAll.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** A browser is named by the service, as a program is: “a program”. */
const capitalised = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
