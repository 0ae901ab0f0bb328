import { useState } from 'react';
import { AreaField, Field } from '../../kit/field.tsx';
import { Switch } from '../../kit/switch.tsx';
import { texts } from '../../texts.ts';
import css from './document-form.module.css';

const { data: words } = texts;
/** Longer texts, and those of several lines, get several lines. */
const longestLine = 60;
/** More are changed as JSON. */
const mostFields = 200;

type Fields = Readonly<Record<string, unknown>>;

interface DocumentFormProps {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
}

/** A document field by field, for who does not write JSON. */
export function DocumentForm({ fields, onChange }: DocumentFormProps) {
  const entries = Object.entries(fields);
  const without = (name: string) => Object.fromEntries(entries.filter(([other]) => other !== name));
  return (
    <div className={css.form}>
      {entries.slice(0, mostFields).map(([name, value]) => (
        <div className={css.field} key={name}>
          <ValueField name={name} value={value} onChange={(next) => onChange({ ...fields, [name]: next })} />
          <button
            type="button"
            data-kind="bare"
            aria-label={words.removeField(name)}
            onClick={() => onChange(without(name))}
          >
            ✕
          </button>
        </div>
      ))}
      {entries.length > mostFields && <p>{words.moreFields(entries.length - mostFields)}</p>}
      <NewField taken={fields} onAdd={(name) => onChange({ ...fields, [name]: '' })} />
    </div>
  );
}

interface ValueFieldProps {
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** As fits what the field holds; what is neither text, number nor yes or no is JSON. */
function ValueField({ name, value, onChange }: ValueFieldProps) {
  if (typeof value === 'boolean') return <Switch label={name} isOn={value} onChange={onChange} />;
  if (typeof value === 'number')
    return (
      <Field
        label={name}
        type="number"
        step="any"
        defaultValue={value}
        onChange={({ target }) => {
          if (Number.isFinite(target.valueAsNumber)) onChange(target.valueAsNumber);
        }}
      />
    );
  if (typeof value !== 'string') return <JsonField name={name} value={value} onChange={onChange} />;
  const props = { label: name, value };
  return value.length > longestLine || value.includes('\n') ? (
    <AreaField {...props} onChange={({ target }) => onChange(target.value)} />
  ) : (
    <Field {...props} onChange={({ target }) => onChange(target.value)} />
  );
}

function JsonField({ name, value, onChange }: ValueFieldProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [mistake, setMistake] = useState<string>();
  const change = (next: string) => {
    setText(next);
    try {
      onChange(JSON.parse(next));
      setMistake(undefined);
    } catch {
      setMistake(words.notJson);
    }
  };
  return (
    <AreaField
      label={name}
      hint={words.asJsonHint}
      mistake={mistake}
      rows={Math.min(8, text.split('\n').length)}
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  );
}

interface NewFieldProps {
  readonly taken: Fields;
  readonly onAdd: (name: string) => void;
}

function NewField({ taken, onAdd }: NewFieldProps) {
  const [name, setName] = useState('');
  const isTaken = Object.hasOwn(taken, name);
  const add = () => {
    onAdd(name);
    setName('');
  };
  return (
    <div className={css.adding}>
      <Field
        label={words.newField}
        mistake={isTaken ? words.fieldIsThere : undefined}
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="button" disabled={name === '' || isTaken} onClick={add}>
        {words.addField}
      </button>
    </div>
  );
}
