import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { texts } from '../texts.ts';
import css from './bottom-bar.module.css';
import { navigation } from './navigation.ts';

/** Within reach of a thumb; the others are behind More. */
const near: readonly string[] = ['/p/$ref', '/p/$ref/data', '/p/$ref/users', '/p/$ref/requests'];
const pages = navigation.flat();
const shown = pages.filter(({ to }) => near.includes(to));
const others = pages.filter(({ to }) => !near.includes(to));

/** The navigation of a phone. */
export function BottomBar({ projectRef: ref }: { readonly projectRef: string }) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const isElsewhere = others.some(({ to }) => pathname.startsWith(to.replace('$ref', ref)));
  return (
    <nav className={css.bar} aria-label={texts.frame.navigation}>
      {shown.map(({ to, name }) => (
        <Link key={to} to={to} params={{ ref }} activeOptions={{ exact: to === '/p/$ref' }}>
          {name}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        data-status={isElsewhere ? 'active' : undefined}
        onClick={() => setOpen(true)}
      >
        {texts.frame.more}
      </button>
      {isOpen && <More projectRef={ref} onClose={() => setOpen(false)} />}
    </nav>
  );
}

function More({ projectRef: ref, onClose }: { readonly projectRef: string; readonly onClose: () => void }) {
  return (
    <Dialog title={texts.frame.more} onClose={onClose}>
      <ul className={css.more}>
        {others.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} params={{ ref }} onClick={onClose}>
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/">{texts.frame.projects}</Link>
        </li>
        <li>
          <Link to="/account">{texts.frame.account}</Link>
        </li>
      </ul>
    </Dialog>
  );
}
