import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { projectAuditQuery } from '../../api/audit.ts';
import { teamQuery } from '../../api/team.ts';
import { nameOfAction } from '../../frame/audit-table.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { withChanges } from '../../search-params.ts';
import { texts } from '../../texts.ts';
import css from './audit-page.module.css';
import type { AuditSearch } from './audit-search.ts';

const { audit: words, auditFilters } = texts;

interface AuditFiltersProps {
  readonly projectRef: string;
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** What is typed or chosen is looked for once nothing was changed for a moment. */
export function AuditFilters({ projectRef: ref, search, onChange }: AuditFiltersProps) {
  const { actions, members } = useSeen(ref, search);
  const [typed, change] = useTyped(search, { typedOf, lookOf, onRest: onChange });
  const { action, member, from, to, filter } = typed;
  return (
    <div className={css.filters} role="search" aria-label={auditFilters.title}>
      <SelectField
        label={auditFilters.action}
        words={{ '': auditFilters.anyAction, ...actions }}
        value={action}
        onChange={(next) => change({ action: next })}
      />
      <SelectField
        label={auditFilters.member}
        words={{ '': auditFilters.anyone, ...members }}
        value={member}
        onChange={(next) => change({ member: next })}
      />
      <Field
        label={auditFilters.from}
        type="date"
        max={to}
        value={from}
        onChange={({ target: { value } }) => change({ from: value })}
      />
      <Field
        label={auditFilters.to}
        type="date"
        min={from}
        value={to}
        onChange={({ target: { value } }) => change({ to: value })}
      />
      <Field
        label={words.filter}
        placeholder={words.filterHint}
        type="search"
        value={filter}
        onChange={({ target: { value } }) => change({ filter: value })}
      />
    </div>
  );
}

const typedOf = (search: AuditSearch): Required<AuditSearch> => ({
  action: '',
  member: '',
  from: '',
  to: '',
  filter: '',
  ...search,
});

const lookOf = (typed: Required<AuditSearch>): AuditSearch => withChanges({}, typed);

/** To choose from: the members, and what was seen among the latest entries; and what is chosen. */
function useSeen(ref: string, { action, member }: AuditSearch) {
  const { data: team = [] } = useQuery(teamQuery(ref));
  const { data: latest } = useInfiniteQuery(projectAuditQuery(ref));
  const entries = latest?.pages.flatMap((page) => page.data) ?? [];
  const actions = new Set([...(action === undefined ? [] : [action]), ...entries.map((one) => one.action)]);
  const members = new Map([
    ...(member === undefined ? [] : ([[member, member]] as const)),
    ...entries.flatMap(({ account, accountId }) =>
      account === null || accountId === null ? [] : ([[accountId, account]] as const),
    ),
    ...team.map(({ id, email }) => [id, email] as const),
  ]);
  return {
    actions: Object.fromEntries([...actions].toSorted().map((one) => [one, nameOfAction(one)])),
    members: Object.fromEntries(members),
  };
}
