import type { CollectionShape } from '@plinth/protocol';
import { type FormEvent, useState } from 'react';
import { type Place, type SettingsChange, useChangeSettings } from '../../api/collection.ts';
import { asError } from '../../as-error.ts';
import { AreaField } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { exampleSchema, schemaOf } from './schema-of-shape.ts';
import css from './schema-page.module.css';

const { schema: words } = texts;

type Schema = Readonly<Record<string, unknown>>;

interface SchemaEditorProps {
  readonly place: Place;
  readonly schema: Schema | undefined;
  readonly shape: CollectionShape | undefined;
}

const textOf = (schema: Schema) => JSON.stringify(schema, null, 2);

/** The schema as JSON: saved whole, or removed; both can be taken back. */
export function SchemaEditor({ place, schema, shape }: SchemaEditorProps) {
  const change = useChangeSettings(place);
  const say = useToast();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? (schema ? textOf(schema) : '');
  const { schema: parsed, problem } = parse(text);
  const send = (next: SettingsChange['schema'], said: string) => {
    const undo = () =>
      change.mutate({ schema: schema ?? null }, { onSuccess: () => say({ text: words.takenBack }) });
    change.mutate(
      { schema: next ?? null },
      {
        onSuccess: () => {
          setDraft((now) => (now === draft ? undefined : now));
          say({ text: said, undo });
        },
      },
    );
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (parsed) send(parsed, words.saved);
  };
  const isKnown = shape !== undefined && shape.fields.length > 0;
  return (
    <Section title={words.title} lead={words.lead}>
      {!schema && draft === undefined && (
        <>
          <p>{words.none}</p>
          <div className={css.buttons}>
            {isKnown && (
              <button type="button" onClick={() => setDraft(textOf(schemaOf(shape)))}>
                {words.start}
              </button>
            )}
            <button type="button" onClick={() => setDraft(textOf(exampleSchema))}>
              {words.example}
            </button>
          </div>
        </>
      )}
      {(schema || draft !== undefined) && (
        <form className={css.form} onSubmit={save}>
          <AreaField
            label={words.label}
            hint={words.hint}
            mistake={problem}
            rows={16}
            value={text}
            onChange={({ target }) => setDraft(target.value)}
          />
          {change.error && <Problem error={change.error} />}
          <div className={css.buttons}>
            <button data-kind="main" disabled={!parsed || draft === undefined || change.isPending}>
              {words.save}
            </button>
            {draft !== undefined && (
              <button type="button" onClick={() => setDraft(undefined)}>
                {texts.cancel}
              </button>
            )}
            {schema && (
              <button
                type="button"
                data-kind="danger"
                disabled={change.isPending}
                onClick={() => send(null, words.removed)}
              >
                {words.remove}
              </button>
            )}
          </div>
        </form>
      )}
    </Section>
  );
}

function parse(text: string): { readonly schema?: Schema; readonly problem?: string } {
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      return { problem: words.notAnObject };
    return { schema: schema as Schema };
  } catch (error) {
    return { problem: asError(error).message };
  }
}
