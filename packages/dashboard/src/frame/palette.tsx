import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { projectsQuery } from '../api/projects.ts';
import { texts } from '../texts.ts';
import css from './palette.module.css';

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
}

function usePlaces(): readonly Place[] {
  const { data } = useInfiniteQuery(projectsQuery);
  const projects = data?.pages.flatMap((page) => page.data) ?? [];
  return [
    { name: texts.frame.projects, kind: '', path: '/' },
    { name: texts.frame.account, kind: '', path: '/account' },
    ...projects.map(({ ref, name }) => ({ name, kind: ref, path: `/p/${ref}` })),
  ];
}

/** Goes anywhere by typing: Ctrl K, or ⌘ K. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (!dialog.current?.open) dialog.current?.showModal();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button type="button" className={css.open} onClick={() => dialog.current?.showModal()}>
        {texts.frame.palette} <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} className={css.palette} aria-label={texts.frame.palette}>
        <Places onGone={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

function Places({ onGone }: { readonly onGone: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const all = usePlaces();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const words = typed.toLowerCase().split(/\s+/);
  const places = all.filter(({ name, kind }) =>
    words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
  );
  const go = (place: Place | undefined) => {
    if (!place) return;
    setTyped('');
    setAt(0);
    onGone();
    void navigate({ to: place.path });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + places.length) % Math.max(1, places.length));
    }
    if (event.key === 'Enter') go(places[at]);
  };
  return (
    <>
      <input
        role="combobox"
        aria-label={texts.frame.paletteHint}
        aria-expanded="true"
        aria-controls={`${id}-places`}
        aria-activedescendant={places[at] && `${id}-${at}`}
        placeholder={texts.frame.paletteHint}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={css.places} role="listbox" id={`${id}-places`} aria-label={texts.frame.palette}>
        {places.map((place, n) => (
          <div
            className={css.place}
            key={place.path}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            onClick={() => go(place)}
            onKeyDown={() => {}}
          >
            {place.name} <span className={css.kind}>{place.kind}</span>
          </div>
        ))}
      </div>
      {places.length === 0 && <p className={css.empty}>{texts.frame.paletteEmpty}</p>}
    </>
  );
}
