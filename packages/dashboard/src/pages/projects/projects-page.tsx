import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Project, projectsQuery } from '../../api/projects.ts';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import { NewProject } from './new-project.tsx';
import css from './projects-page.module.css';

const { projects: words } = texts;

export function ProjectsPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(projectsQuery);
  const [isCreating, setCreating] = useState(false);
  const projects = data?.pages.flatMap((page) => page.data);
  const create = (
    <button type="button" data-kind="main" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  );
  return (
    <>
      <div className={css.head}>
        <h1>{words.title}</h1>
        {projects && projects.length > 0 && create}
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {projects?.length === 0 && (
        <div className={css.empty}>
          <h2>{words.emptyTitle}</h2>
          <p>{words.emptyText}</p>
          {create}
        </div>
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
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          {texts.loadMore}
        </button>
      )}
      {isCreating && <NewProject onClose={() => setCreating(false)} />}
    </>
  );
}

function ProjectCard({ project: { ref, name, role } }: { readonly project: Project }) {
  return (
    <Link to="/p/$ref" params={{ ref }} className={css.card}>
      <span className={css.name}>{name}</span>
      <span className={css.facts}>
        <code>{ref}</code>
        <span>{words[role]}</span>
      </span>
    </Link>
  );
}
