import { type FormEvent, useId, useState } from 'react';
import type { Caller, RequestFilter, StatusClass } from '../../api/requests.ts';
import { Field, SelectField } from '../../kit/field.tsx';
import { moment } from '../../kit/figures.ts';
import { texts } from '../../texts.ts';
import css from './requests-page.module.css';

const { requests: words } = texts;

interface RequestFiltersProps {
  readonly filter: RequestFilter;
  /** Those that were seen, to choose from. */
  readonly routes: readonly string[];
  readonly onChange: (changes: Partial<Record<keyof RequestFilter, unknown>>) => void;
}

/** What is looked for; each change is part of the address at once. */
export function RequestFilters({ filter, routes, onChange: change }: RequestFiltersProps) {
  const { status, who = 'apps', slower, user = '', from, to } = filter;
  return (
    <div className={css.filters} role="search" aria-label={words.filters}>
      <SelectField<StatusClass | 'all'>
        label={words.status}
        words={words.statuses}
        value={status ?? 'all'}
        onChange={(word) => change({ status: word === 'all' ? undefined : word })}
      />
      <SelectField<Caller>
        label={words.who}
        words={words.callers}
        value={who}
        onChange={(word) => change({ who: word === 'apps' ? undefined : word })}
      />
      <RouteField value={filter.route ?? ''} routes={routes} onChange={(route) => change({ route })} />
      <SelectField
        label={words.slower}
        words={words.durations}
        value={(slower === undefined ? 'any' : String(slower)) as keyof typeof words.durations}
        onChange={(word) => change({ slower: word === 'any' ? undefined : Number(word) })}
      />
      <TextFilter key={user} label={words.user} value={user} onApply={(text) => change({ user: text })} />
      {(from !== undefined || to !== undefined || filter.code !== undefined) && (
        <div className={css.chips}>
          {(from !== undefined || to !== undefined) && (
            <Chip
              text={words.between(from && moment(from), to && moment(to))}
              onRemove={() => change({ from: undefined, to: undefined })}
            />
          )}
          {filter.code !== undefined && (
            <Chip text={words.withCode(filter.code)} onRemove={() => change({ code: undefined })} />
          )}
        </div>
      )}
    </div>
  );
}

function RouteField({
  value,
  routes,
  onChange,
}: {
  readonly value: string;
  readonly routes: readonly string[];
  readonly onChange: (route: string) => void;
}) {
  const all = routes.includes(value) || value === '' ? routes : [value, ...routes];
  return (
    <SelectField
      label={words.route}
      words={{ '': words.anyRoute, ...Object.fromEntries(all.map((route) => [route, route])) }}
      value={value}
      onChange={onChange}
    />
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onApply: (text: string) => void;
}

/** Applied with Enter, or when it is left. */
function TextFilter({ label, value, onApply }: TextFilterProps) {
  const [text, setText] = useState(value);
  const id = useId();
  const apply = () => {
    if (text.trim() !== value) onApply(text.trim());
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    <form id={id} onSubmit={send}>
      <Field
        label={label}
        placeholder={words.userHint}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
      />
    </form>
  );
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <span className={css.chip}>
      {text}
      <button type="button" data-kind="bare" aria-label={`${words.remove}: ${text}`} onClick={onRemove}>
        ✕
      </button>
    </span>
  );
}
