import { useQuery } from '@tanstack/react-query';
import { explainQuery, type Question, someDocumentsQuery, userQuery } from '../../../api/access.ts';
import type { Action, Place } from '../../../api/collection.ts';
import { Problem } from '../../../kit/problem.tsx';
import { Wait } from '../../../kit/wait.tsx';
import { texts } from '../../../texts.ts';
import css from './access.module.css';
import type { AccessSearch } from './access-search.ts';
import { titleOf } from './document-field.tsx';
import { Mark } from './mark.tsx';
import { fieldsIn } from './question.ts';
import { SeenBy } from './seen-by.tsx';
import { VerdictTree } from './verdict-tree.tsx';

const { access: words } = texts;
const { verbs } = texts.rules.sentence;

interface AnswerProps {
  readonly place: Place;
  readonly search: AccessSearch;
  readonly as: string;
  readonly action: Action;
}

export function Answer({ place, search, as, action }: AnswerProps) {
  if (as === 'key')
    return (
      <div className={css.answer}>
        <p className={css.result}>
          <Mark isGood word={words.allowed} /> <span>{words.keySkips}</span>
        </p>
      </div>
    );
  return (
    <>
      <Explained place={place} question={questionOf(search, as, action)} />
      {as !== 'could-be' && <SeenBy place={place} as={as} query={search.query ?? ''} search={search} />}
    </>
  );
}

const askedAs = ({ who }: AccessSearch, as: string): Question['as'] => {
  if (as === 'nobody') return null;
  return as === 'could-be' ? (fieldsIn(who ?? '').fields ?? {}) : as;
};

function questionOf(search: AccessSearch, as: string, action: Action): Question {
  const { doc, query, body } = search;
  const { fields } = fieldsIn(body ?? '');
  return {
    as: askedAs(search, as),
    action,
    ...(doc !== undefined && action !== 'create' && { id: doc }),
    ...(fields &&
      (action === 'create' || (action === 'update' && doc !== undefined)) && { document: fields }),
    ...(query !== undefined && action === 'read' && doc === undefined && { query }),
  };
}

function Explained({ place, question }: { readonly place: Place; readonly question: Question }) {
  const { data, error, isPending } = useQuery(explainQuery(place, question));
  return (
    <section className={css.answer} aria-label={words.answer} aria-live="polite">
      {error && <Problem error={error} />}
      {isPending && <Wait />}
      {data && (
        <>
          <p className={css.result}>
            <Mark isGood={data.allowed} word={data.allowed ? words.allowed : words.refused} />
            <Said place={place} question={question} isAllowed={data.allowed} />
          </p>
          {data.verdicts.map((verdict, at) => (
            // Verdicts have no names of their own, and come in the order in which rules are asked.
            <VerdictTree key={at} verdict={verdict} />
          ))}
        </>
      )}
    </section>
  );
}

interface SaidProps {
  readonly place: Place;
  readonly question: Question;
  readonly isAllowed: boolean;
}

/** The answer as a sentence; what decided it stands below. */
function Said({ place, question, isAllowed }: SaidProps) {
  const { as, action, id, document } = question;
  const userId = typeof as === 'string' ? as : undefined;
  const { data: user } = useQuery({
    ...userQuery(place.projectRef, userId ?? ''),
    enabled: userId !== undefined,
  });
  const { data: documents } = useQuery(someDocumentsQuery(place));
  const asked = documents?.find((one) => one.id === id);
  const nameless = as === null ? words.somebody : words.suchUser;
  const who = user?.email ?? userId ?? nameless;
  const one = asked ? `“${titleOf(asked)}”` : id;
  const many = action === 'read' && isAllowed && !document ? words.narrowed : words.these;
  return <span>{words.verdict(who, isAllowed, verbs[action], one ?? many)}</span>;
}
