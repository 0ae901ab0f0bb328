import { useState } from 'react';
import { type NewKey, useMakeKey } from '../../api/keys.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { AreaField, Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { texts } from '../../texts.ts';
import css from './keys.module.css';

const { keys: words } = texts;
type Expiry = keyof typeof words.expiries;

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

interface NewKeyDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

/** Asks what a key is for, then shows it, which nobody sees again. */
export function NewKeyDialog({ projectRef, onClose }: NewKeyDialogProps) {
  const make = useMakeKey(projectRef);
  if (make.data)
    return (
      <Dialog title={words.made} onClose={onClose}>
        <p>{words.madeText}</p>
        <Copyable text={make.data.apiKey} label={words.made} />
      </Dialog>
    );
  return (
    <>
      <Dialog title={words.make} onClose={onClose}>
        <Wish isPending={make.isPending} error={refusalOf(make)} onSend={(wish) => make.mutate(wish)} />
      </Dialog>
      <AsksAgain change={make} />
    </>
  );
}

interface WishProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: (wish: NewKey) => void;
}

function Wish({ isPending, error, onSend }: WishProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [addresses, setAddresses] = useState('');
  return (
    <Form
      button={words.make}
      isPending={isPending}
      error={error}
      onSend={() =>
        onSend({
          name,
          scopes: listOf(scopes),
          expires_in_days: expiry === 'never' ? null : Number(expiry),
          addresses: listOf(addresses),
        })
      }
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
      <SelectField label={words.expiry} words={words.expiries} value={expiry} onChange={setExpiry} />
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
