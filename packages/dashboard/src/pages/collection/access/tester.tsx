import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Action, actions, type Place } from '../../../api/collection.ts';
import { Choice } from '../../../kit/choice.tsx';
import { AreaField, Field } from '../../../kit/field.tsx';
import { Section } from '../../../kit/section.tsx';
import { useAhead } from '../../../kit/use-ahead.ts';
import { texts } from '../../../texts.ts';
import css from './access.module.css';
import type { AccessSearch } from './access-search.ts';
import { Answer } from './answer.tsx';
import { DocumentField } from './document-field.tsx';
import { fieldsIn } from './question.ts';
import { UserField } from './user-field.tsx';

const { access: words, rules } = texts;

interface TesterProps {
  readonly place: Place;
  readonly search: AccessSearch;
}

type Caller = keyof typeof words.callers;

const callerOf = (as = 'nobody'): Caller =>
  as === 'nobody' || as === 'key' || as === 'could-be' ? as : 'user';

/** What is asked about most often of a user that could be. */
const someUser = '{"role": "editor", "claims": {}}';

const questionOf = (search: AccessSearch): string => JSON.stringify({ ...search, see: false });

const actionOf = (text: string | undefined): Action => actions.find((action) => action === text) ?? 'read';

/** Asks the rules: who, what, which document. The question is in the address, so an answer can be sent as a link. */
export function Tester({ place, search }: TesterProps) {
  const { tell, turn } = useAhead(questionOf(search));
  return (
    <Section title={words.title} lead={words.lead}>
      {/* What was changed while the address followed the last question stays. */}
      <Question key={turn} place={place} search={search} onAsk={(given) => tell(questionOf(given))} />
      {search.as !== undefined && (
        <Answer place={place} search={search} as={search.as} action={actionOf(search.action)} />
      )}
    </Section>
  );
}

interface QuestionProps extends TesterProps {
  readonly onAsk: (search: AccessSearch) => void;
}

function Question({ place, search, onAsk }: QuestionProps) {
  const { projectRef: ref, collection } = place;
  const navigate = useNavigate();
  const [caller, setCaller] = useState(callerOf(search.as));
  const [user, setUser] = useState(caller === 'user' ? (search.as ?? '') : '');
  const [who, setWho] = useState(search.who ?? someUser);
  const [action, setAction] = useState(actionOf(search.action));
  const [doc, setDoc] = useState(search.doc ?? '');
  const [query, setQuery] = useState(search.query ?? '');
  const [body, setBody] = useState(search.body ?? '');
  const { problem } = fieldsIn(body);
  const whoProblem = fieldsIn(who).problem;
  const isUnclear = caller === 'could-be' ? whoProblem !== undefined : caller === 'user' && user === '';
  const takesBody = action === 'create' || action === 'update';
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const next = {
      as: caller === 'user' ? user : caller,
      who: caller === 'could-be' ? who : '',
      action,
      doc: action === 'create' ? '' : doc,
      query: action === 'read' && doc === '' ? query : '',
      body: takesBody ? body : '',
    };
    const given = Object.fromEntries(Object.entries(next).filter(([, text]) => text !== ''));
    onAsk(given);
    void navigate({
      to: '/p/$ref/data/$collection/rules',
      params: { ref, collection },
      search: given,
      resetScroll: false,
    });
  };
  return (
    <form className={css.question} onSubmit={ask}>
      <Choice label={words.as} words={words.callers} value={caller} onChange={setCaller} />
      {caller === 'user' && <UserField projectRef={ref} value={user} onChange={setUser} />}
      {caller === 'could-be' && (
        <AreaField
          label={words.who}
          hint={words.whoHint}
          mistake={whoProblem}
          rows={3}
          spellCheck={false}
          value={who}
          onChange={({ target }) => setWho(target.value)}
        />
      )}
      <Choice label={words.action} words={rules.titles} value={action} onChange={setAction} />
      {action !== 'create' && (
        <DocumentField place={place} value={doc} isNeeded={action !== 'read'} onChange={setDoc} />
      )}
      {action === 'read' && doc === '' && (
        <Field
          label={words.query}
          hint={words.queryHint}
          spellCheck={false}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      )}
      {takesBody && (
        <AreaField
          label={action === 'create' ? words.newDocument : words.changes}
          hint={action === 'create' ? undefined : words.changesHint}
          mistake={problem}
          rows={4}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      )}
      <button data-kind="main" disabled={isUnclear || (takesBody && problem !== undefined)}>
        {words.ask}
      </button>
    </form>
  );
}
