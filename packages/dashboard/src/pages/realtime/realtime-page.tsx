import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { collectionsQuery } from '../../api/collections.ts';
import { Page } from '../../frame/page.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import { Changes } from './changes.tsx';
import { RealtimeHead } from './realtime-head.tsx';
import css from './realtime-page.module.css';
import { RoomView } from './room-view.tsx';

const { realtime: words } = texts;
const from = '/signed-in/p/$ref/realtime';

/** What comes over the connection: changes of a collection, and a room. */
export function RealtimePage() {
  const { ref } = useParams({ from });
  const search = useSearch({ from });
  const { collection, filter = '', room } = search;
  const navigate = useNavigate();
  const look = (next: typeof search) =>
    void navigate({ to: '/p/$ref/realtime', params: { ref }, search: next });
  const inRoom = room === undefined ? {} : { room };
  const following = collection === undefined ? {} : { collection, ...(filter && { filter }) };
  return (
    <Page>
      <RealtimeHead projectRef={ref} lead={words.lead} />
      <Section title={words.changes} lead={words.changesText}>
        <FollowForm
          key={`${collection} ${filter}`}
          projectRef={ref}
          collection={collection}
          filter={filter}
          onFollow={(next) => look({ ...inRoom, ...next })}
        />
        {collection !== undefined && (
          <Changes
            key={`frames of ${collection} ${filter}`}
            projectRef={ref}
            collection={collection}
            filter={filter}
            onStop={() => look(inRoom)}
          />
        )}
      </Section>
      <Section title={words.room} lead={words.roomText}>
        {room === undefined ? (
          <JoinForm onJoin={(name) => look({ ...following, room: name })} />
        ) : (
          <>
            <h3 className={css.room}>{room}</h3>
            <RoomView key={room} projectRef={ref} name={room} onLeave={() => look(following)} />
          </>
        )}
      </Section>
    </Page>
  );
}

interface FollowFormProps {
  readonly projectRef: string;
  readonly collection: string | undefined;
  readonly filter: string;
  readonly onFollow: (wanted: { readonly collection: string; readonly filter?: string }) => void;
}

function FollowForm({ projectRef, collection, filter, onFollow }: FollowFormProps) {
  const { data: collections, error } = useQuery(collectionsQuery(projectRef));
  const [chosen, setChosen] = useState(collection);
  const [text, setText] = useState(filter);
  const names = collections?.map(({ name }) => name) ?? [];
  const name = chosen ?? names[0];
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (name !== undefined) onFollow({ collection: name, ...(text && { filter: text }) });
  };
  if (error) return <Problem error={error} />;
  if (collections && names.length === 0) return <p className={css.quiet}>{words.noCollections}</p>;
  return (
    <form className={css.form} onSubmit={send}>
      <SelectField
        label={words.collection}
        words={Object.fromEntries(names.map((one) => [one, one]))}
        value={name ?? ''}
        onChange={setChosen}
      />
      <Field
        label={words.filter}
        placeholder={words.filterHint}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button data-kind="main">{words.follow}</button>
    </form>
  );
}

function JoinForm({ onJoin }: { readonly onJoin: (name: string) => void }) {
  const [name, setName] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    onJoin(name.trim());
  };
  return (
    <form className={css.form} onSubmit={send}>
      <Field
        label={words.roomName}
        placeholder="chat-tea"
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button>{words.join}</button>
    </form>
  );
}
