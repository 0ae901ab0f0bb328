import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { someDocumentsQuery } from '../../api/access.ts';
import { collectionsQuery } from '../../api/collections.ts';
import type { NewWebhook } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { SuggestField } from '../../kit/suggest-field.tsx';
import { Switch } from '../../kit/switch.tsx';
import { withFieldsOf } from '../data/columns.ts';
import { completeFilter, problemOf } from '../data/complete-filter.ts';
import { completeEvents, eventsIn, onlyCollection } from './complete-events.ts';

const { webhooks: words } = codeTexts;

interface WebhookFormProps {
  readonly projectRef: string;
  readonly button: string;
  /** What it is now. */
  readonly now?: NewWebhook;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: (wish: NewWebhook) => void;
}

/** Where a webhook goes, and what it is told. */
export function WebhookForm({ projectRef, button, now, isPending, error, onSend }: WebhookFormProps) {
  const { data: collections = [] } = useQuery(collectionsQuery(projectRef));
  const [url, setUrl] = useState(now?.url ?? '');
  const [description, setDescription] = useState(now?.description ?? '');
  const [events, setEvents] = useState(now?.events.join(' ') ?? '');
  const [filter, setFilter] = useState(now?.filter ?? '');
  const [ordered, setOrdered] = useState(now?.ordered ?? false);
  const chosen = eventsIn(events);
  return (
    <Form
      button={button}
      isPending={isPending}
      isDisabled={chosen.length === 0}
      error={error}
      onSend={() => onSend({ url, description, events: chosen, filter: filter.trim() || null, ordered })}
    >
      <Field
        label={words.url}
        hint={words.urlHint}
        type="url"
        required
        maxLength={2048}
        autoFocus
        autoComplete="off"
        placeholder="https://example.com/hooks"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SuggestField
        label={words.events}
        hint={words.eventsHint}
        listLabel={words.suggestions}
        placeholder="orders.create"
        value={events}
        suggest={(text, caret) =>
          completeEvents(
            text,
            caret,
            collections.map(({ name }) => name),
          )
        }
        onChange={setEvents}
      />
      <FilterField
        projectRef={projectRef}
        collection={onlyCollection(chosen)}
        value={filter}
        onChange={setFilter}
      />
      <Field
        label={words.description}
        hint={words.descriptionHint}
        maxLength={200}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Switch label={words.ordered} hint={words.orderedHint} isOn={ordered} onChange={setOrdered} />
    </Form>
  );
}

interface FilterFieldProps {
  readonly projectRef: string;
  /** The one whose fields are offered. */
  readonly collection: string | undefined;
  readonly value: string;
  readonly onChange: (filter: string) => void;
}

function FilterField({ projectRef, collection = '', value, onChange }: FilterFieldProps) {
  const { data: rows = [] } = useQuery({
    ...someDocumentsQuery({ projectRef, collection }),
    enabled: collection !== '',
    // The name may be half typed.
    retry: false,
  });
  const columns = withFieldsOf([], rows);
  return (
    <SuggestField
      label={words.filter}
      hint={words.filterHint}
      mistake={value === '' ? undefined : problemOf(value)}
      listLabel={words.suggestions}
      value={value}
      suggest={(text, caret) => completeFilter(text, caret, { columns, rows })}
      onChange={onChange}
    />
  );
}
