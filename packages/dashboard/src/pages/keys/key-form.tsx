import { useState } from 'react';
import type { NewKey } from '../../api/keys.ts';
import { AreaField, Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { texts } from '../../texts.ts';
import css from './keys.module.css';

const { keys: words } = texts;

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

interface KeyFormProps<Expiry extends string> {
  readonly button: string;
  /** What it is now. */
  readonly now?: Omit<NewKey, 'expires_in_days'>;
  /** When it may expire; a number is so many days from now. */
  readonly expiries: Readonly<Record<Expiry, string>>;
  readonly expiry: NoInfer<Expiry>;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: (wish: Omit<NewKey, 'expires_in_days'>, expiry: Expiry) => void;
}

/** What a key is called, what it may do, until when, and from where. */
export function KeyForm<Expiry extends string>(props: KeyFormProps<Expiry>) {
  const { button, now, expiries, isPending, error, onSend } = props;
  const [name, setName] = useState(now?.name ?? '');
  const [scopes, setScopes] = useState(now?.scopes.join('\n') ?? '');
  const [expiry, setExpiry] = useState<Expiry>(props.expiry);
  const [addresses, setAddresses] = useState(now?.addresses.join(', ') ?? '');
  return (
    <Form
      button={button}
      isPending={isPending}
      error={error}
      onSend={() => onSend({ name, scopes: listOf(scopes), addresses: listOf(addresses) }, expiry)}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        required
        maxLength={100}
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <AreaField
        label={words.scopes}
        hint={words.scopesHint}
        rows={2}
        required
        value={scopes}
        onChange={(event) => setScopes(event.target.value)}
      />
      <Common scopes={listOf(scopes)} onChange={(next) => setScopes(next.join('\n'))} />
      <SelectField label={words.expiry} words={expiries} value={expiry} onChange={setExpiry} />
      <Field
        label={words.addresses}
        hint={words.addressesHint}
        value={addresses}
        onChange={(event) => setAddresses(event.target.value)}
      />
    </Form>
  );
}

interface CommonProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}

/** Scopes that most keys have, for whoever does not know their names. */
function Common({ scopes, onChange }: CommonProps) {
  return (
    <fieldset className={css.common}>
      <legend>{words.common}</legend>
      {Object.entries(words.commonOnes).map(([scope, name]) => {
        const isOn = scopes.includes(scope);
        return (
          <button
            type="button"
            key={scope}
            aria-pressed={isOn}
            onClick={() => onChange(isOn ? scopes.filter((one) => one !== scope) : [...scopes, scope])}
          >
            {name}
          </button>
        );
      })}
    </fieldset>
  );
}
