import type { KeyboardEvent } from 'react';

export interface Extent {
  readonly page: number;
  readonly rows: number;
  readonly columns: number;
}

interface Step {
  readonly rows: number;
  readonly columns: number;
}

/** Where a key leads from a cell. */
export function stepFor({ key, ctrlKey, metaKey }: KeyboardEvent, extent: Extent): Step | undefined {
  const { page, rows, columns } = extent;
  const isFar = ctrlKey || metaKey;
  return {
    ArrowDown: { rows: 1, columns: 0 },
    ArrowUp: { rows: -1, columns: 0 },
    ArrowRight: { rows: 0, columns: 1 },
    ArrowLeft: { rows: 0, columns: -1 },
    PageDown: { rows: page, columns: 0 },
    PageUp: { rows: -page, columns: 0 },
    Home: { rows: isFar ? -rows : 0, columns: -columns },
    End: { rows: isFar ? rows : 0, columns },
  }[key];
}

export type GridAction =
  | 'open'
  | 'follow'
  | 'edit'
  | 'json'
  | 'toggle'
  | 'all'
  | 'copy'
  | 'menu'
  | 'delete'
  | 'clear'
  | 'wider'
  | 'narrower';

/** What a key does where the keyboard is. */
export function actionFor({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): GridAction | undefined {
  if (altKey) return ({ ArrowRight: 'wider', ArrowLeft: 'narrower' } as const)[key];
  if (ctrlKey || metaKey) return ({ Enter: 'follow', a: 'all' } as const)[key];
  return (
    {
      Enter: 'open',
      F2: 'edit',
      ' ': 'toggle',
      e: 'json',
      c: 'copy',
      '.': 'menu',
      ContextMenu: 'menu',
      Delete: 'delete',
      Escape: 'clear',
    } as const
  )[key];
}

export const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
