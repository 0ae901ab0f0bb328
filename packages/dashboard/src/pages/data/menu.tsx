import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import css from './menu.module.css';

interface MenuItem {
  readonly text: string;
  readonly keys?: string;
  readonly isDanger?: boolean;
  readonly act: () => void;
}

interface MenuItemsProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onLeave: () => void;
}

/** Takes the focus; the arrows move in it, and whatever is chosen closes it. */
export function MenuItems({ label, items, onLeave }: MenuItemsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('button')?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onLeave();
    } else if (step !== undefined) {
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    }
  };
  return (
    <div
      ref={list}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={css.menu}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave();
      }}
    >
      {items.map(({ text, keys, isDanger, act }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-danger={isDanger || undefined}
          onClick={(event) => {
            event.stopPropagation();
            onLeave();
            act();
          }}
        >
          {text}
          {keys !== undefined && <kbd>{keys}</kbd>}
        </button>
      ))}
    </div>
  );
}

interface PopoverProps {
  readonly button: ReactNode;
  readonly label?: string;
  readonly hasMenu?: boolean;
  /** What it shows, and how that closes it. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button, and what it shows below itself. */
export function Popover({ button, label, hasMenu = false, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    place.current?.querySelector('button')?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const onDown = (event: PointerEvent) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onDown);
    return () => document.removeEventListener('pointerdown', onDown);
  }, [isOpen, place]);
  return (
    <div
      className={css.place}
      ref={place}
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-haspopup={hasMenu ? 'menu' : 'dialog'}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && <Shown onClose={close}>{children}</Shown>}
    </div>
  );
}

interface ShownProps {
  readonly onClose: () => void;
  readonly children: (close: () => void) => ReactNode;
}

function Shown({ onClose, children }: ShownProps) {
  return <div className={css.popover}>{children(onClose)}</div>;
}
