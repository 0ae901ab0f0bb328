import { useEffect, useRef, useState } from 'react';

/** Files that are dropped anywhere on the page. Tells whether some are being held above it. */
export function useDroppedFiles(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  useEffect(() => {
    take.current = onDrop;
  });
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Else the browser would open the file instead of this page.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
