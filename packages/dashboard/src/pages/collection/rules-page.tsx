import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Tester } from './access/tester.tsx';
import { CollectionPage } from './collection-page.tsx';
import { FieldRulesSection } from './field-rules.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { usePlace } from './use-place.ts';

/** Who may do what with the documents of a collection, and why. */
export function RulesPage() {
  const place = usePlace('rules');
  const search = useSearch({ from: '/signed-in/p/$ref/data/$collection/rules' });
  // Who comes with a question sees its answer first; it does not move while somebody asks another.
  const [isQuestionFirst] = useState(search.as !== undefined || search.doc !== undefined);
  const tester = <Tester key={place.collection} place={place} search={search} />;
  return (
    <CollectionPage place={place}>
      {({ id, settings }) => (
        <>
          {isQuestionFirst && tester}
          <RulesEditor key={id} place={place} settings={settings} />
          <FieldRulesSection place={place} fieldRules={settings.fieldRules ?? {}} />
          {!isQuestionFirst && tester}
        </>
      )}
    </CollectionPage>
  );
}
