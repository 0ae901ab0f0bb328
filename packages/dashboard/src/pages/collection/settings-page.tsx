import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type Place,
  useChangeSettings,
  useDeleteCollection,
  useRenameCollection,
} from '../../api/collection.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { AreaField, Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { CollectionPage } from './collection-page.tsx';
import { usePlace } from './use-place.ts';

const { collectionSettings: words } = texts;

/** What a collection is called, what of it is hidden, and its end. */
export function SettingsPage() {
  const place = usePlace('settings');
  return (
    <CollectionPage place={place}>
      {({ id, createdAt, settings }) => (
        <>
          <Rename key={place.collection} place={place} />
          <HiddenFields key={id} place={place} hidden={settings.hiddenFields} />
          <Section title={words.facts} lead={`${words.made} ${when(createdAt)}`}>
            <Copyable text={id} label={words.id} />
          </Section>
          <Delete place={place} />
        </>
      )}
    </CollectionPage>
  );
}

function Rename({ place }: { readonly place: Place }) {
  const { projectRef: ref, collection } = place;
  const rename = useRenameCollection(place);
  const navigate = useNavigate();
  const say = useToast();
  const [name, setName] = useState(collection);
  const send = () =>
    rename.mutate(name, {
      onSuccess: () => {
        say({ text: words.renamed });
        const params = { ref, collection: name };
        void navigate({ to: '/p/$ref/data/$collection/settings', params, replace: true });
      },
    });
  return (
    <Form
      button={words.rename}
      isPending={rename.isPending}
      isDisabled={name === collection || name === ''}
      error={rename.error}
      onSend={send}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        maxLength={63}
        spellCheck={false}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}

interface HiddenFieldsProps {
  readonly place: Place;
  readonly hidden: readonly string[];
}

function HiddenFields({ place, hidden }: HiddenFieldsProps) {
  const change = useChangeSettings(place);
  const say = useToast();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? hidden.join('\n');
  const undo = () =>
    change.mutate({ hiddenFields: hidden }, { onSuccess: () => say({ text: words.takenBack }) });
  const send = () => {
    const hiddenFields = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    change.mutate(
      { hiddenFields },
      {
        onSuccess: () => {
          setDraft((now) => (now === draft ? undefined : now));
          say({ text: words.saved, undo });
        },
      },
    );
  };
  return (
    <Section title={words.hidden} lead={words.hiddenText}>
      <Form
        button={words.save}
        isPending={change.isPending}
        isDisabled={draft === undefined}
        error={change.error}
        onSend={send}
      >
        <AreaField
          label={words.hiddenLabel}
          hint={words.hiddenHint}
          rows={4}
          value={text}
          onChange={({ target }) => setDraft(target.value)}
        />
      </Form>
    </Section>
  );
}

function Delete({ place }: { readonly place: Place }) {
  const { projectRef: ref, collection } = place;
  const remove = useDeleteCollection(place);
  const navigate = useNavigate();
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const send = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        say({ text: words.deleted(collection) });
        void navigate({ to: '/p/$ref/data', params: { ref }, replace: true });
      },
    });
  return (
    <Section title={words.danger} lead={words.dangerText}>
      <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
        {words.delete}
      </button>
      {isAsking && (
        <Confirm
          title={words.danger}
          text={words.dangerText}
          name={collection}
          button={words.delete}
          isPending={remove.isPending}
          error={remove.error}
          onSend={send}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
