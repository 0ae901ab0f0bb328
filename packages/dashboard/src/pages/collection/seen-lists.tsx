import { useQuery } from '@tanstack/react-query';
import type { Place } from '../../api/collection.ts';
import { adviceQuery, type SeenList, useBuildIndex } from '../../api/indexes.ts';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';

const { indexes: words } = texts;

/** The lists that apps ask for, with how long they take and what would help. */
export function SeenLists({ place }: { readonly place: Place }) {
  const { data, error } = useQuery(adviceQuery(place));
  const build = useBuildIndex(place);
  const say = useToast();
  return (
    <Section title={words.advice} lead={words.adviceText}>
      {error && <Problem error={error} />}
      {build.error && <Problem error={build.error} />}
      {!data && !error && <Wait />}
      {data?.shapes.length === 0 && <p>{words.noAdvice}</p>}
      {data && data.shapes.length > 0 && (
        <Rows>
          {data.shapes.map((list) => (
            <ListRow
              key={`${list.filter.join()} ${list.sort.join()}`}
              list={list}
              isPending={build.isPending}
              onBuild={(suggestion) =>
                build.mutate(suggestion, { onSuccess: () => say({ text: words.asking }) })
              }
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}

interface ListRowProps {
  readonly list: SeenList;
  readonly isPending: boolean;
  readonly onBuild: (suggestion: NonNullable<SeenList['suggestion']>) => void;
}

function ListRow({ list, isPending, onBuild }: ListRowProps) {
  const { filter, sort, calls, p50Ms, suggestion, index, explanation } = list;
  const by = [...filter, ...sort].join(', ');
  const name = by === '' ? words.allDocuments : words.lists(by);
  const isWanted = suggestion !== null && index?.state !== 'building';
  return (
    <Row
      title={
        <>
          {name} {p50Ms !== null && words.takes(p50Ms)}.{' '}
          {index?.state === 'building' && <Tag tone="warning">{words.states.building}</Tag>}
        </>
      }
      facts={`${words.calls(calls)}. ${explanation}`}
    >
      {isWanted && (
        <button
          type="button"
          data-kind="main"
          aria-label={words.buildFor(suggestion.fields.join(', '))}
          disabled={isPending}
          onClick={() => onBuild(suggestion)}
        >
          {words.build}
        </button>
      )}
    </Row>
  );
}
