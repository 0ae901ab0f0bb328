import { type RefObject, useEffect, useRef, useState } from 'react';
import { isTyping } from './use-page-keys.ts';

/** What is read of a file at most: all of it is held in memory. */
const largestFile = 50_000_000;

interface Hearing {
  readonly place: RefObject<HTMLElement | null>;
  readonly onText: (text: string, isFile: boolean) => void;
  readonly onTooLarge: () => void;
}

/** Texts that are pasted anywhere, and files that are dropped onto the place. */
export function useDrop(hearing: Hearing): { isOver: boolean; readFile: (file: File) => void } {
  const [isOver, setOver] = useState(false);
  const latest = useRef(hearing);
  useEffect(() => {
    latest.current = hearing;
  }, [hearing]);
  const [readFile] = useState(() => (file: File) => {
    if (file.size > largestFile) return latest.current.onTooLarge();
    void file.text().then((text) => latest.current.onText(text, true));
  });
  useEffect(() => {
    const place = latest.current.place.current;
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event)) return;
      const [file] = event.clipboardData?.files ?? [];
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() !== '') latest.current.onText(text, false);
      else if (file) readFile(file);
    };
    const onOver = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (!place?.contains(event.relatedTarget as Node | null)) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (file) readFile(file);
      else if (text !== '') latest.current.onText(text, true);
    };
    document.addEventListener('paste', onPaste);
    place?.addEventListener('dragover', onOver);
    place?.addEventListener('dragleave', onLeave);
    place?.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('paste', onPaste);
      place?.removeEventListener('dragover', onOver);
      place?.removeEventListener('dragleave', onLeave);
      place?.removeEventListener('drop', onDrop);
    };
  }, [readFile]);
  return { isOver, readFile };
}
