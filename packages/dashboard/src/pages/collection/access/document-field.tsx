import { useQuery } from '@tanstack/react-query';
import { type SeenDocument, someDocumentsQuery } from '../../../api/access.ts';
import type { Place } from '../../../api/collection.ts';
import { SuggestField } from '../../../kit/suggest-field.tsx';
import type { Suggestion } from '../../../kit/suggest-input.tsx';
import { texts } from '../../../texts.ts';

const { access: words } = texts;
const mostShown = 8;
const longestTitle = 60;

interface DocumentFieldProps {
  readonly place: Place;
  readonly value: string;
  readonly isNeeded: boolean;
  readonly onChange: (id: string) => void;
}

/** Picks a document: by id, or by what one of the newest holds. */
export function DocumentField({ place, value, isNeeded, onChange }: DocumentFieldProps) {
  const { data: documents = [] } = useQuery(someDocumentsQuery(place));
  const picked = documents.find(({ id }) => id === value);
  const hint = isNeeded ? words.documentNeeded : words.documentHint;
  return (
    <SuggestField
      label={words.document}
      hint={picked ? titleOf(picked) : hint}
      listLabel={words.documents}
      value={value}
      suggest={(text) => (picked ? [] : documentsLike(documents, text))}
      onChange={onChange}
    />
  );
}

function documentsLike(documents: readonly SeenDocument[], text: string): Suggestion[] {
  return documents
    .filter((document) => JSON.stringify(document).toLowerCase().includes(text.toLowerCase()))
    .slice(0, mostShown)
    .map((document) => ({ text: document.id, label: titleOf(document), hint: `…${document.id.slice(-8)}` }));
}

const likelyTitles = ['title', 'name', 'label', 'subject', 'email', 'slug'];

/** What a document is best known by. */
export function titleOf({ id, createdAt: _made, updatedAt: _changed, ...fields }: SeenDocument): string {
  const named = likelyTitles.map((name) => fields[name]).find((value) => typeof value === 'string');
  const first =
    named ?? Object.values(fields).find((value) => typeof value === 'string' && !value.includes('-8'));
  return typeof first === 'string' ? first.slice(0, longestTitle) : id;
}
