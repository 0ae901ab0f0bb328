import { useParams } from '@tanstack/react-router';
import { DocumentsView } from './documents-view.tsx';

/** The documents of a collection. Nothing of one is kept for the next. */
export function DataPage() {
  const { ref, collection } = useParams({ from: '/signed-in/p/$ref/data/$collection' });
  return <DocumentsView key={`${ref} ${collection}`} />;
}
