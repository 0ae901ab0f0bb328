import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { type AppUser, type UsersLook, usersOnPage, usersQuery } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Table } from '../../kit/table.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { NewUserDialog } from './new-user.tsx';
import { UserFilters } from './user-filters.tsx';
import { UserState } from './user-state.tsx';
import css from './users-page.module.css';

const { users: words } = texts;

export function UsersPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/users' });
  const look = useSearch({ from: '/signed-in/p/$ref/users' });
  const navigate = useNavigate();
  const list = useQuery(usersQuery(ref, look));
  const [isCreating, setCreating] = useState(false);
  const { page = 1, ...filters } = look;
  const isFiltered = Object.keys(filters).length > 0;
  const go = (search: UsersLook) =>
    void navigate({ to: '/p/$ref/users', params: { ref }, search, replace: true });
  const found = list.data;
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        <button type="button" data-kind="main" onClick={() => setCreating(true)}>
          {words.create}
        </button>
      </Head>
      {(isFiltered || found?.total !== 0) && <UserFilters look={filters} onChange={go} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Wait lines={6} />}
      {found && found.items.length === 0 && (
        <Nothing projectRef={ref} isFiltered={isFiltered || page > 1} onClear={() => go({})} />
      )}
      {found && found.items.length > 0 && (
        <>
          <UserTable projectRef={ref} users={found.items} />
          <Pages
            page={page}
            shown={found.items.length}
            total={found.total}
            isFloor={found.totalIsFloor}
            hasMore={found.hasMore}
            onGo={(next) => go({ ...filters, ...(next > 1 && { page: next }) })}
          />
        </>
      )}
      {isCreating && <NewUserDialog projectRef={ref} onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface UserTableProps {
  readonly projectRef: string;
  readonly users: readonly AppUser[];
}

function UserTable({ projectRef: ref, users }: UserTableProps) {
  return (
    <Table
      stacks
      label={words.title}
      heads={[words.email, words.name, words.role, words.state, words.joined]}
    >
      {users.map((user) => (
        <tr key={user.id}>
          <td>
            <Link to="/p/$ref/users/$id" params={{ ref, id: user.id }}>
              {user.email}
            </Link>
          </td>
          <td>{typeof user.data.name === 'string' ? user.data.name.slice(0, 60) : ''}</td>
          <td>{user.role}</td>
          <td>
            <span className={css.tags}>
              <UserState user={user} />
            </span>
          </td>
          <td className={css.quiet}>
            <time dateTime={user.createdAt}>{when(user.createdAt)}</time>
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface NothingProps {
  readonly projectRef: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function Nothing({ projectRef: ref, isFiltered, onClear }: NothingProps) {
  const { data: project } = useQuery(projectQuery(ref));
  const url = project?.url ?? `${location.origin}/p/${ref}`;
  if (isFiltered)
    return (
      <Empty title={words.noneFits} text={words.noneFitsText}>
        <button type="button" onClick={onClear}>
          {words.clear}
        </button>
      </Empty>
    );
  return (
    <Empty title={words.empty} text={words.emptyText}>
      <Copyable
        label={words.signUpCall}
        text={`curl ${url}/auth-collections/signup -H "Content-Type: application/json" -d '{"email": "ada@example.com", "password": "correct horse", "data": {"name": "Ada"}}'`}
      />
    </Empty>
  );
}

interface PagesProps {
  readonly page: number;
  readonly shown: number;
  readonly total: number | undefined;
  readonly isFloor: boolean;
  readonly hasMore: boolean;
  readonly onGo: (page: number) => void;
}

function Pages({ page, shown, total, isFloor, hasMore, onGo }: PagesProps) {
  const first = (page - 1) * usersOnPage + 1;
  return (
    <nav className={css.pages} aria-label={words.pages}>
      <span role="status">{words.range(first, first + shown - 1, total, isFloor)}</span>
      {(page > 1 || hasMore) && (
        <>
          <button type="button" disabled={page === 1} onClick={() => onGo(page - 1)}>
            {words.previous}
          </button>
          <button type="button" disabled={!hasMore} onClick={() => onGo(page + 1)}>
            {words.next}
          </button>
        </>
      )}
    </nav>
  );
}
