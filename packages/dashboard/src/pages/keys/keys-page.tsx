import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Key, keysQuery, useRevokeKey } from '../../api/keys.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { ChangeKeyDialog } from './change-key.tsx';
import css from './keys.module.css';
import { NewKeyDialog } from './new-key.tsx';

const { keys: words } = texts;

export function KeysPage() {
  const { ref, role } = useProject();
  const { data: keys, error, refetch } = useQuery(keysQuery(ref));
  const [isMaking, setMaking] = useState(false);
  const isOwner = role === 'owner';
  const make = (
    <button type="button" data-kind="main" disabled={!isOwner} onClick={() => setMaking(true)}>
      {words.make}
    </button>
  );
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {keys && keys.length > 0 && make}
      </Head>
      {!isOwner && <p>{words.ownerMakes}</p>}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!keys && !error && <Wait />}
      {keys?.length === 0 && (
        <Empty title={words.empty} text={words.emptyText}>
          {make}
        </Empty>
      )}
      {keys && keys.length > 0 && <KeyList projectRef={ref} keys={keys} isOwner={isOwner} />}
      {isMaking && <NewKeyDialog projectRef={ref} onClose={() => setMaking(false)} />}
    </Page>
  );
}

interface KeyListProps {
  readonly projectRef: string;
  readonly keys: readonly Key[];
  readonly isOwner: boolean;
}

function KeyList({ projectRef, keys, isOwner }: KeyListProps) {
  const revoke = useRevokeKey(projectRef);
  const say = useToast();
  const [asked, setAsked] = useState<Key>();
  const [changing, setChanging] = useState<Key>();
  return (
    <>
      <Rows>
        {keys.map((key) => (
          <Row key={key.id} title={<KeyTitle of={key} />} facts={factsOf(key)}>
            <div className={css.actions}>
              <button
                type="button"
                aria-label={words.changeOne(key.name)}
                disabled={!isOwner}
                onClick={() => setChanging(key)}
              >
                {words.change}
              </button>
              <button
                type="button"
                data-kind="danger"
                aria-label={words.revokeOne(key.name)}
                disabled={!isOwner}
                onClick={() => setAsked(key)}
              >
                {words.revoke}
              </button>
            </div>
          </Row>
        ))}
      </Rows>
      {changing && (
        <ChangeKeyDialog projectRef={projectRef} of={changing} onClose={() => setChanging(undefined)} />
      )}
      {asked && (
        <Confirm
          title={words.revokeOne(asked.name)}
          text={words.revokeText}
          button={words.revoke}
          isPending={revoke.isPending}
          error={revoke.error}
          onSend={() =>
            revoke.mutate(asked.id, {
              onSuccess: () => {
                setAsked(undefined);
                say({ text: words.revoked });
              },
            })
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function KeyTitle({ of: { name, scopes, expiresAt, inBrowserAt } }: { readonly of: Key }) {
  return (
    <span className={css.title}>
      <strong>{name}</strong>
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
      {isOver(expiresAt) && <Tag tone="bad">{words.expired}</Tag>}
      {inBrowserAt !== null && <Tag tone="warning">{words.inBrowser}</Tag>}
    </span>
  );
}

const isOver = (time: string | null) => time !== null && Date.parse(time) < Date.now();

function factsOf({ hint, expiresAt, usedAt, addresses }: Key): string {
  const { facts } = words;
  const expiry =
    expiresAt === null
      ? facts.neverExpires
      : (isOver(expiresAt) ? facts.expired : facts.expires)(when(expiresAt));
  return [
    `plk_…${hint}`,
    expiry,
    usedAt === null ? facts.neverUsed : facts.used(when(usedAt)),
    ...(addresses.length > 0 ? [facts.from(addresses.join(', '))] : []),
  ].join(', ');
}
