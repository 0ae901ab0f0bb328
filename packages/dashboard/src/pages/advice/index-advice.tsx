import { useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '../../api/collections.ts';
import {
  adviceQuery,
  type Index,
  indexesQuery,
  type NewIndex,
  type SeenList,
  useBuildIndex,
} from '../../api/indexes.ts';
import { duration, shortCount } from '../../kit/figures.ts';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';
import css from './index-advice.module.css';

const { advice: words } = texts;
/** Collections whose lists are looked at, the largest first: small ones need no index. */
const mostLookedAt = 10;

/** Which lists are slow, and what would help. */
export function IndexAdvice({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: collections, error } = useQuery(collectionsQuery(ref));
  const largest = collections?.toSorted((a, b) => b.documentCount - a.documentCount).slice(0, mostLookedAt);
  return (
    <Section title={words.speed} lead={words.speedText}>
      {error && <Problem error={error} />}
      {largest?.length === 0 && <p>{words.noCollections}</p>}
      {largest?.map(({ id, name }) => (
        <OfCollection key={id} projectRef={ref} collection={name} />
      ))}
    </Section>
  );
}

interface OfCollectionProps {
  readonly projectRef: string;
  readonly collection: string;
}

function OfCollection({ projectRef: ref, collection }: OfCollectionProps) {
  const place = { projectRef: ref, collection };
  const advice = useQuery(adviceQuery(place));
  const indexes = useQuery(indexesQuery(place));
  const build = useBuildIndex(place);
  const error = advice.error ?? indexes.error ?? build.error;
  const shapes = advice.data?.shapes ?? [];
  return (
    <div className={css.collection}>
      <h3>{collection}</h3>
      {error && <Problem error={error} />}
      {indexes.data && indexes.data.length > 0 && (
        <Rows>
          {indexes.data.map((index) => (
            <Index key={index.id} index={index} />
          ))}
        </Rows>
      )}
      {shapes.length > 0 && (
        <Rows>
          {shapes.map((shape) => (
            <Shape
              key={`${shape.filter.join()} ${shape.sort.join()}`}
              shape={shape}
              isBuilding={build.isPending}
              onBuild={build.mutate}
            />
          ))}
        </Rows>
      )}
      {advice.isSuccess && shapes.length === 0 && indexes.data?.length === 0 && (
        <p className={css.quiet}>{words.noShapes}</p>
      )}
    </div>
  );
}

const tones = { building: 'warning', ready: 'good', failed: 'bad' } as const;

function Index({
  index: { kind, fields, state, progress, failure, automatic, note },
}: {
  readonly index: Index;
}) {
  const name = `${kind}: ${fields.join(', ')}`;
  return (
    <Row
      title={<code>{name}</code>}
      facts={[automatic ? words.automatic : words.asked, failure ?? note].filter(Boolean).join('. ')}
    >
      {state === 'building' && progress && (
        <progress aria-label={words.progress(name)} value={progress.done} max={Math.max(1, progress.total)} />
      )}
      <Tag tone={tones[state]}>{words.states[state]}</Tag>
    </Row>
  );
}

interface ShapeProps {
  readonly shape: SeenList;
  readonly isBuilding: boolean;
  readonly onBuild: (wish: NewIndex) => void;
}

function Shape({ shape, isBuilding, onBuild }: ShapeProps) {
  const { filter, sort, calls, p50Ms, suggestion, index, explanation } = shape;
  const text = words.shape(filter.join(', '), sort.join(', '));
  const seen = words.seen(shortCount(calls), p50Ms === null ? '' : duration(p50Ms));
  return (
    <Row title={text} facts={`${seen}. ${explanation}`}>
      {suggestion && !index && (
        <button
          type="button"
          aria-label={`${words.build}: ${suggestion.fields.join(', ')}`}
          disabled={isBuilding}
          onClick={() => onBuild(suggestion)}
        >
          {words.build}
        </button>
      )}
    </Row>
  );
}
