import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { seenByQuery, userQuery } from '../../../api/access.ts';
import type { Place } from '../../../api/collection.ts';
import { Problem } from '../../../kit/problem.tsx';
import { Row, Rows } from '../../../kit/rows.tsx';
import { Wait } from '../../../kit/wait.tsx';
import { texts } from '../../../texts.ts';
import css from './access.module.css';
import type { AccessSearch } from './access-search.ts';
import { titleOf } from './document-field.tsx';
import { WhyLink } from './why-link.tsx';

const { access: words } = texts;

interface SeenByProps {
  readonly place: Place;
  /** The id of a user, or `nobody`. */
  readonly as: string;
  readonly query: string;
  readonly search: AccessSearch;
}

/** The collection as somebody sees it. It is read only when asked for, since such reads are noted. */
export function SeenBy({ place, as, query, search }: SeenByProps) {
  const { projectRef: ref, collection } = place;
  const isNobody = as === 'nobody';
  const { data: user } = useQuery({ ...userQuery(ref, as), enabled: !isNobody });
  const who = isNobody ? words.aStranger : (user?.email ?? as);
  if (search.see) return <SeenList place={place} as={as} who={who} query={query} />;
  return (
    <Link
      to="/p/$ref/data/$collection/rules"
      params={{ ref, collection }}
      search={{ ...search, see: true }}
      resetScroll={false}
      preload={false}
    >
      {words.seeAs(who)}
    </Link>
  );
}

interface SeenListProps {
  readonly place: Place;
  readonly as: string;
  readonly who: string;
  readonly query: string;
}

function SeenList({ place, as, who, query }: SeenListProps) {
  const { projectRef: ref, collection } = place;
  const { data, error, isPending } = useQuery(seenByQuery(place, as, query));
  return (
    <section className={css.answer} aria-label={words.seen(who)}>
      <h3 className={css.title}>
        {words.seen(who)}
        {data?.total !== undefined && `: ${words.sees(data.total)}`}
      </h3>
      <p className={css.reason}>{words.seenNote}</p>
      {error && <Problem error={error} />}
      {isPending && <Wait />}
      {data?.data.length === 0 && <p>{words.seesNone}</p>}
      <Rows>
        {data?.data.map((document) => (
          <Row
            key={document.id}
            title={
              <Link to="/p/$ref/data/$collection" params={{ ref, collection }} search={{ doc: document.id }}>
                {titleOf(document)}
              </Link>
            }
            facts={document.id}
          >
            <WhyLink place={place} doc={document.id} as={as} />
          </Row>
        ))}
      </Rows>
    </section>
  );
}
