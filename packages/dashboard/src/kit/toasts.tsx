import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import css from './toasts.module.css';

export interface Toast {
  readonly text: string;
  /** Takes back what was done; it is offered for ten seconds. */
  readonly undo?: () => void;
}

const shownMs = 10_000;
const Say = createContext<(toast: Toast) => void>(() => {});

/** Says what was done, for a moment, and how to take it back. */
export const useToast = () => useContext(Say);

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  const say = useCallback((next: Toast) => setToast(next), []);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <Say value={say}>
      {children}
      <div className={css.place} role="status">
        {toast && (
          <div className={css.toast}>
            <span>{toast.text}</span>
            {toast.undo && (
              <button
                type="button"
                onClick={() => {
                  setToast(undefined);
                  // It may have something to say itself.
                  toast.undo?.();
                }}
              >
                {texts.undo}
              </button>
            )}
            <button
              type="button"
              data-kind="bare"
              aria-label={texts.dismiss}
              onClick={() => setToast(undefined)}
            >
              ✕
            </button>
          </div>
        )}
      </div>
    </Say>
  );
}
