import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { type Documents, movedOn, type Step, takeBack } from './steps.ts';
import { isTyping } from './use-page-keys.ts';

const { data: words } = texts;
const mostSteps = 50;

interface Undoing {
  readonly documents: Documents;
  readonly look: () => Promise<void>;
  /** Says what went wrong. */
  readonly trying: (work: () => Promise<void>) => void;
}

/** Remembers what was done here, and takes it back: the last by its message, each in turn by Ctrl Z. */
export function useUndo({ documents, look, trying }: Undoing) {
  const say = useToast();
  const steps = useRef<readonly Step[]>([]);
  /** Changes that are under way. Steps are taken back one after the other: each left the documents as the next found them. */
  const underWay = useRef<Promise<unknown>>(Promise.resolve());
  const awaited = useCallback(async (work: Promise<void>) => {
    const done = work.catch(() => {});
    underWay.current = Promise.all([underWay.current, done]);
    await work;
  }, []);
  const undoLast = useCallback(() => {
    const undo = async () => {
      const step = steps.current.at(-1);
      if (!step) return say({ text: words.nothingToUndo });
      steps.current = steps.current.slice(0, -1);
      const { count, left, rows } = await takeBack(documents, step);
      const back = new Map(step.written?.map((one) => [one.id, one]));
      const moves = rows.map(({ id, updatedAt }) => ({
        id,
        from: back.get(id)?.to ?? '',
        to: String(updatedAt),
      }));
      steps.current = steps.current.map((one) => movedOn(one, moves));
      // Before it looks: what is done meanwhile has something to say after it.
      say({ text: words.undone(count, left) });
      await look();
    };
    trying(() => awaited(underWay.current.then(undo)));
  }, [awaited, documents, look, say, trying]);
  const did = useCallback(
    (step: Step) => {
      const earlier = steps.current.map((one) => movedOn(one, step.written ?? []));
      steps.current = [...earlier, step].slice(-mostSteps);
      say({ text: step.text, undo: undoLast });
    },
    [say, undoLast],
  );
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
      // What is being typed has an undo of its own.
      if (!isUndo || event.defaultPrevented || isTyping(event)) return;
      event.preventDefault();
      undoLast();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [undoLast]);
  return useMemo(() => ({ did, awaited }), [did, awaited]);
}
