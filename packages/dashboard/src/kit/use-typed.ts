import { useEffect, useRef, useState } from 'react';

const typingMs = 300;

/** What is typed into a form, and handed on once nothing was typed for a moment. */
export function useTyped<Typed>(initial: Typed, onRest: (typed: Typed) => void) {
  const [typed, setTyped] = useState(initial);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const change = (part: Partial<Typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => onRest(next), typingMs);
  };
  return [typed, change] as const;
}
