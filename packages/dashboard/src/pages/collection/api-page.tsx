import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { someDocumentsQuery } from '../../api/access.ts';
import { shapeQuery } from '../../api/collection.ts';
import { projectQuery } from '../../api/projects.ts';
import { Choice } from '../../kit/choice.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import css from './api-page.module.css';
import { snippetsOf } from './api-snippets.ts';
import { CollectionPage } from './collection-page.tsx';
import { usePlace } from './use-place.ts';

const { collectionApi: words } = texts;

/** How this very collection is called. */
export function ApiPage() {
  const place = usePlace('api');
  const { projectRef: ref, collection } = place;
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const { data: shape } = useQuery(shapeQuery(place));
  const { data: documents } = useQuery(someDocumentsQuery(place));
  const { language = 'curl' } = useSearch({ from: '/signed-in/p/$ref/data/$collection/api' });
  const navigate = useNavigate();
  const url = project.url ?? `${location.origin}/p/${ref}`;
  const snippets = snippetsOf(language, { url, collection, shape, id: documents?.[0]?.id });
  return (
    <CollectionPage place={place}>
      {({ documentCount }) => (
        <>
          <p>{words.lead}</p>
          <Copyable text={`${url}/collections/${collection}`} label={words.address} />
          <Choice
            label={words.language}
            words={words.languages}
            value={language}
            onChange={(next) =>
              void navigate({
                to: '/p/$ref/data/$collection/api',
                params: { ref, collection },
                search: { language: next },
                replace: true,
              })
            }
          />
          {documentCount === 0 && <p>{words.noDocuments}</p>}
          {snippets.map(({ name, code }) => (
            <Section key={name} title={words[name]}>
              <div className={css.code}>
                <Copyable text={code} label={words[name]} />
              </div>
            </Section>
          ))}
          <a href="/docs">{words.reference}</a>
        </>
      )}
    </CollectionPage>
  );
}
