import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { texts } from '../texts.ts';
import css from './keys.module.css';
import { navigation } from './navigation.ts';

const { shortcuts: words } = texts;

/** Pressed after g. */
const letters: Readonly<Record<string, string>> = {
  h: '/p/$ref',
  d: '/p/$ref/data',
  u: '/p/$ref/users',
  f: '/p/$ref/files',
  r: '/p/$ref/requests',
  s: '/p/$ref/settings',
};
const pages = navigation.flat();
const goals = Object.entries(letters).flatMap(([letter, to]) => {
  const page = pages.find((one) => one.to === to);
  return page ? [{ letter, page }] : [];
});
/** So long after g its letter counts. */
const chordMs = 1500;

/** Keys that work everywhere in a project, and a list of them. */
export function Keys({ projectRef: ref }: { readonly projectRef: string }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const begunAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const isSecond = event.timeStamp - begunAt.current < chordMs;
      begunAt.current = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (event.key === '?') setOpen(true);
      const goal = isSecond && goals.find(({ letter }) => letter === event.key);
      if (!goal) return;
      // The letter is not typed into what the page puts the focus on.
      event.preventDefault();
      void navigate({ to: goal.page.to, params: { ref } });
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, [navigate, ref]);
  return (
    <>
      <button type="button" data-kind="bare" className={css.open} onClick={() => setOpen(true)}>
        {words.title} <kbd>?</kbd>
      </button>
      {isOpen && <KeysHelp onClose={() => setOpen(false)} />}
    </>
  );
}

/** Somebody is typing, or answers a dialog. */
function isTaken({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  if (document.querySelector('dialog[open]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'))
  );
}

function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      <dl className={css.keys}>
        {words.everywhere.map(([keys, meaning]) => (
          <Key key={keys} keys={keys} meaning={meaning} />
        ))}
        {goals.map(({ letter, page }) => (
          <Key key={letter} keys={`g ${letter}`} meaning={words.goTo(page.name)} />
        ))}
        {words.inLists.map(([keys, meaning]) => (
          <Key key={keys} keys={keys} meaning={meaning} />
        ))}
      </dl>
    </Dialog>
  );
}

function Key({ keys, meaning }: { readonly keys: string; readonly meaning: string }) {
  return (
    <div className={css.key}>
      <dt>
        {keys.split(' ').map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{meaning}</dd>
    </div>
  );
}
