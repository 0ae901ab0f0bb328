import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { collectionsQuery } from '../../api/collections.ts';
import { projectClient } from '../../api/project-client.ts';
import { texts } from '../../texts.ts';
import { type Row, titleOf } from './columns.ts';
import css from './document-grid.module.css';
import { collectionNumberOf } from './links.ts';
import { cellAt, placeBelow, type Spot } from './place-below.ts';

const { data: words } = texts;
/** Whoever only passes by is not bothered. */
const waitMs = 250;

/** The collection that an id leads to, if it is one of the project's. */
function useLinkTarget(ref: string, id: unknown): string | undefined {
  const { data: collections } = useQuery({ ...collectionsQuery(ref), staleTime: 60_000 });
  const number = collectionNumberOf(id);
  return number === undefined ? undefined : collections?.find((one) => one.number === number)?.name;
}

interface LinkCardProps {
  readonly projectRef: string;
  readonly spot: Spot;
  readonly isPointed: boolean;
  readonly value: unknown;
}

/** What an id in a cell stands for. */
export function LinkCard({ projectRef, spot, isPointed, value }: LinkCardProps) {
  const collection = useLinkTarget(projectRef, value);
  const place = `${spot.row} ${spot.column}`;
  const [ready, setReady] = useState<string>();
  useEffect(() => {
    if (collection === undefined) return;
    const timer = setTimeout(() => setReady(place), waitMs);
    return () => clearTimeout(timer);
  }, [place, collection]);
  const isWanted = collection !== undefined && ready === place;
  const { data: target } = useQuery({
    queryKey: ['projects', projectRef, 'link', value],
    queryFn: async ({ signal }) =>
      ((await projectClient(projectRef)
        .collection(collection ?? '')
        .find(String(value), { signal })) as Row | undefined) ?? null,
    enabled: isWanted,
    staleTime: 60_000,
  });
  const cell = isWanted ? cellAt(spot) : null;
  const hasFocus = cell?.closest('[role="grid"]') === document.activeElement;
  if (!cell || target === undefined || !(isPointed || hasFocus)) return null;
  return (
    <div className={css.card} role="tooltip" ref={(element) => placeBelow(element, spot)}>
      <strong>{target ? titleOf(target) : words.linkGone}</strong>
      <span>{words.inCollection(collection ?? '')}</span>
      {target && <span className={css.quiet}>{words.followHint}</span>}
    </div>
  );
}
