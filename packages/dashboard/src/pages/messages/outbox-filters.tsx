import type { MessageStatus, OutboxLook } from '../../api/outbox.ts';
import { Field, SelectField } from '../../kit/field.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { texts } from '../../texts.ts';
import css from './outbox.module.css';

const { outbox: words } = texts;

interface Typed {
  readonly status: MessageStatus | 'any';
  readonly to: string;
}

interface OutboxFiltersProps {
  readonly look: OutboxLook;
  readonly onChange: (look: OutboxLook) => void;
}

/** What is typed is looked for once nothing was typed for a moment. */
export function OutboxFilters({ look, onChange }: OutboxFiltersProps) {
  const [typed, change] = useTyped(look, { typedOf, lookOf, onRest: onChange });
  return (
    <form className={css.filters} role="search" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label={words.status}
        words={words.anyStatus}
        value={typed.status}
        onChange={(status) => change({ status })}
      />
      <Field
        label={words.to}
        type="search"
        placeholder={words.toHint}
        maxLength={254}
        autoComplete="off"
        value={typed.to}
        onChange={(event) => change({ to: event.target.value })}
      />
    </form>
  );
}

const typedOf = (look: OutboxLook): Typed => ({ status: 'any', to: '', ...look });

const lookOf = ({ status, to }: Typed): OutboxLook => ({
  ...(status !== 'any' && { status }),
  ...(to.trim() && { to: to.trim() }),
});
