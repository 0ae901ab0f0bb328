import type { UsersLook } from '../../api/users.ts';
import { Field, SelectField } from '../../kit/field.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { texts } from '../../texts.ts';
import css from './users-page.module.css';

const { users: words } = texts;

interface Typed {
  readonly search: string;
  readonly role: string;
  readonly verified: 'any' | 'yes' | 'no';
  readonly filter: string;
}

interface UserFiltersProps {
  readonly look: UsersLook;
  readonly onChange: (look: UsersLook) => void;
}

/** What is typed is looked for once nothing was typed for a moment. */
export function UserFilters({ look, onChange }: UserFiltersProps) {
  const [typed, change] = useTyped(look, { typedOf, lookOf, onRest: onChange });
  return (
    <form className={css.filters} role="search" onSubmit={(event) => event.preventDefault()}>
      <Field
        label={words.search}
        type="search"
        placeholder={words.searchHint}
        value={typed.search}
        onChange={(event) => change({ search: event.target.value })}
      />
      <Field
        label={words.role}
        value={typed.role}
        placeholder={words.anyRole}
        autoComplete="off"
        onChange={(event) => change({ role: event.target.value })}
      />
      <SelectField
        label={words.address}
        words={words.addresses}
        value={typed.verified}
        onChange={(verified) => change({ verified })}
      />
      <Field
        label={words.filter}
        placeholder={words.filterHint}
        autoComplete="off"
        spellCheck={false}
        value={typed.filter}
        onChange={(event) => change({ filter: event.target.value })}
      />
    </form>
  );
}

const typedOf = (look: UsersLook): Typed => ({ search: '', role: '', verified: 'any', filter: '', ...look });

const lookOf = ({ search, role, verified, filter }: Typed): UsersLook => ({
  ...(search && { search }),
  ...(role && { role }),
  ...(verified !== 'any' && { verified }),
  ...(filter && { filter }),
});
