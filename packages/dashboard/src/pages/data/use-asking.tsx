import { useCallback, useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';

/** Something that is done only if somebody means it. */
export interface Asked {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly act: () => void;
}

const keyFor = (ref: string): string => `ask ${ref}`;

function recall(ref: string): boolean {
  try {
    return localStorage.getItem(keyFor(ref)) === 'yes';
  } catch {
    return false;
  }
}

function remember(ref: string, isAsking: boolean): void {
  try {
    if (isAsking) localStorage.setItem(keyFor(ref), 'yes');
    else localStorage.removeItem(keyFor(ref));
  } catch {
    // The browser keeps nothing: it is forgotten with the page.
  }
}

/** Asks before edits, in the projects for which this browser was told to. */
export function useAsking(ref: string) {
  const [isAsking, setAsking] = useState(() => recall(ref));
  const [asked, setAsked] = useState<Asked>();
  const ask = useCallback(
    (wish: Asked) => {
      if (isAsking) setAsked(wish);
      else wish.act();
    },
    [isAsking],
  );
  const choose = useCallback(
    (isWanted: boolean) => {
      remember(ref, isWanted);
      setAsking(isWanted);
    },
    [ref],
  );
  const dialog = asked && (
    <Confirm
      title={asked.title}
      text={asked.text}
      button={asked.button}
      isPending={false}
      error={null}
      onSend={() => {
        setAsked(undefined);
        asked.act();
      }}
      onClose={() => setAsked(undefined)}
    />
  );
  return { isAsking, choose, ask, dialog };
}
