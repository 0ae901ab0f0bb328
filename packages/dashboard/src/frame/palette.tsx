import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import css from './palette.module.css';
import { type Place, usePlaces } from './places.ts';

/** More are not listed: whoever types on finds them. */
const mostListed = 60;

interface PaletteProps {
  /** The project that is open. */
  readonly projectRef?: string;
}

/** Goes anywhere by typing: Ctrl K, or ⌘ K. */
export function Palette({ projectRef }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const begin = useCallback(() => {
    if (dialog.current?.open) return;
    dialog.current?.showModal();
    setOpen(true);
  }, []);
  const close = () => {
    dialog.current?.close();
    setOpen(false);
  };
  const onClosed = () => {
    // The event comes a moment later: it may be open again.
    if (!dialog.current?.open) setOpen(false);
  };
  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      begin();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, [begin]);
  return (
    <>
      <button type="button" className={css.open} onClick={begin}>
        {texts.frame.palette} <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} className={css.palette} aria-label={texts.frame.palette} onClose={onClosed}>
        {isOpen && <Places projectRef={projectRef} onGone={close} />}
      </dialog>
    </>
  );
}

interface PlacesProps {
  readonly projectRef: string | undefined;
  readonly onGone: () => void;
}

function Places({ projectRef, onGone }: PlacesProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const places = fitting(usePlaces(projectRef, typed), typed);
  const go = (place: Place | undefined) => {
    if (!place) return;
    onGone();
    place.go();
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
        autoFocus
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
            key={`${place.kind} ${place.name} ${n}`}
            ref={n === at ? show : undefined}
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

/** Every word has to be in it. */
function fitting(places: readonly Place[], typed: string): readonly Place[] {
  const words = typed.toLowerCase().split(/\s+/);
  const fits = ({ name, kind, isRare }: Place) =>
    !(isRare && typed === '') && words.every((word) => `${name} ${kind}`.toLowerCase().includes(word));
  return places.filter(fits).slice(0, mostListed);
}

const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
