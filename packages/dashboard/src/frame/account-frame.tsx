import { Link, Outlet } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import css from './frame.module.css';
import { Mark } from './mark.tsx';
import { Palette } from './palette.tsx';

/** What is around the pages that are about no one project. */
export function AccountFrame() {
  return (
    <>
      <a className={css.skip} href="#content">
        {texts.frame.skip}
      </a>
      <header className={css.top}>
        <Mark />
        <nav aria-label={texts.product}>
          <Link to="/" activeOptions={{ exact: true }}>
            {texts.frame.projects}
          </Link>
          <Link to="/account">{texts.frame.account}</Link>
        </nav>
        <Palette />
      </header>
      <main className={css.page} id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
