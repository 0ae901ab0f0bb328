import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Project, projectsQuery } from '../../api/projects.ts';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { DeletedProjects } from './deleted-projects.tsx';
import { NewProject } from './new-project.tsx';
import { OwnInvitations } from './own-invitations.tsx';
import css from './projects-page.module.css';

const { projects: words } = texts;

export function ProjectsPage() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(projectsQuery);
  const [isCreating, setCreating] = useState(false);
  const all = data?.pages.flatMap((page) => page.data);
  const projects = all?.filter(({ deletedAt }) => deletedAt === undefined);
  const deleted = all?.filter(({ deletedAt }) => deletedAt !== undefined) ?? [];
  const create = (
    <button type="button" data-kind="main" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  );
  return (
    <>
      <Head title={words.title}>{projects && projects.length > 0 && create}</Head>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <OwnInvitations />
      {projects?.length === 0 && (
        <Empty title={words.emptyTitle} text={words.emptyText}>
          {create}
        </Empty>
      )}
      {projects && projects.length > 0 && (
        <ul className={css.list}>
          {projects.map((project) => (
            <li key={project.ref}>
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore of={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
      {deleted.length > 0 && <DeletedProjects projects={deleted} />}
      {isCreating && <NewProject onClose={() => setCreating(false)} />}
    </>
  );
}

function ProjectCard({ project: { ref, name, role, expiresAt } }: { readonly project: Project }) {
  return (
    <Link to="/p/$ref" params={{ ref }} className={css.card}>
      <span className={css.name}>{name}</span>
      <span className={css.facts}>
        <code>{ref}</code>
        <span>{words[role]}</span>
      </span>
      {expiresAt !== undefined && <span className={css.facts}>{words.expires(when(expiresAt))}</span>}
    </Link>
  );
}
