import { useEffect, useRef, useState } from 'react';

const typingMs = 300;

interface Form<Look, Typed> {
  /** What the fields hold when the address says this. */
  readonly typedOf: (look: Look) => Typed;
  /** What the address says when the fields hold this. */
  readonly lookOf: (typed: Typed) => Look;
  /** Nothing was typed for a moment. */
  readonly onRest: (look: Look) => void;
}

/** Fields that say what is looked at. The address follows what is typed, and the fields follow the address if it is changed elsewhere. */
export function useTyped<Look, Typed>(look: Look, { typedOf, lookOf, onRest }: Form<Look, Typed>) {
  const [typed, setTyped] = useState(() => typedOf(look));
  const [isTyping, setIsTyping] = useState(false);
  const said = JSON.stringify(look);
  const [seen, setSeen] = useState(said);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  if (said !== seen) {
    setSeen(said);
    if (!isTyping && said !== JSON.stringify(lookOf(typed))) setTyped(typedOf(look));
  }
  const change = (part: Partial<Typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    setIsTyping(true);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => {
      setIsTyping(false);
      onRest(lookOf(next));
    }, typingMs);
  };
  return [typed, change] as const;
}
