import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { projectQuery } from '../api/projects.ts';
import { texts } from '../texts.ts';
import { BottomBar } from './bottom-bar.tsx';
import css from './frame.module.css';
import { Keys } from './keys.tsx';
import { Mark } from './mark.tsx';
import { navigation } from './navigation.ts';
import { Palette } from './palette.tsx';

/** What is around every page of a project. */
export function ProjectFrame() {
  const { ref } = useParams({ from: '/signed-in/p/$ref' });
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  return (
    <div className={css.project}>
      <a className={css.skip} href="#content">
        {texts.frame.skip}
      </a>
      <header className={css.side}>
        <Mark />
        <p className={css.name}>{project.name}</p>
        <nav className={css.navigation} aria-label={texts.frame.navigation}>
          {navigation.map((group) => (
            <ul className={css.pages} key={group[0]?.to}>
              {group.map(({ to, name }) => (
                <li key={to}>
                  <Link to={to} params={{ ref }} activeOptions={{ exact: to === '/p/$ref' }}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          ))}
        </nav>
        <Palette projectRef={ref} />
        <Keys projectRef={ref} />
      </header>
      <main className={css.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <BottomBar projectRef={ref} />
    </div>
  );
}
