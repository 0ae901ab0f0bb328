import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Place, shapeQuery } from '../../api/collection.ts';
import { type IndexKind, useBuildIndex } from '../../api/indexes.ts';
import { Choice } from '../../kit/choice.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { SuggestField } from '../../kit/suggest-field.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { fieldsOf } from './rule-text.ts';

const { indexes: words } = texts;

/** Asks for an index. */
export function NewIndexSection({ place }: { readonly place: Place }) {
  const { data: shape } = useQuery(shapeQuery(place));
  const build = useBuildIndex(place);
  const say = useToast();
  const [kind, setKind] = useState<IndexKind>('sort');
  const [text, setText] = useState('');
  const fields = text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
  const send = () =>
    build.mutate(
      { kind, fields },
      {
        onSuccess: () => {
          setText('');
          say({ text: words.asking });
        },
      },
    );
  /** Fields for the last name of the list. */
  const suggest = (typed: string) => {
    const [, before = '', last = ''] = /^(.*?)([^,\s-]*)$/s.exec(typed) ?? [];
    return fieldsOf(shape)
      .filter((field) => field.startsWith(last) && !fields.some((one) => one.replace(/^-/, '') === field))
      .map((field) => ({ text: before + field, label: field, hint: '' }));
  };
  return (
    <Section title={words.make} lead={words.makeText}>
      <Form
        button={words.build}
        isPending={build.isPending}
        isDisabled={fields.length === 0}
        error={build.error}
        onSend={send}
      >
        <Choice label={words.kind} words={words.kinds} value={kind} onChange={setKind} />
        <p>{words.kindHints[kind]}</p>
        <SuggestField
          label={words.fields}
          hint={words.fieldsHint}
          listLabel={words.fields}
          value={text}
          suggest={suggest}
          onChange={setText}
        />
      </Form>
    </Section>
  );
}
