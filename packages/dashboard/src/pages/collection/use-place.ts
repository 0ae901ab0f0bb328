import { useParams } from '@tanstack/react-router';
import type { Place } from '../../api/collection.ts';

type Part = 'rules' | 'indexes' | 'schema' | 'api' | 'settings';

/** The collection that a page is about. */
export function usePlace(part: Part): Place {
  const { ref, collection } = useParams({ from: `/signed-in/p/$ref/data/$collection/${part}` });
  return { projectRef: ref, collection };
}
