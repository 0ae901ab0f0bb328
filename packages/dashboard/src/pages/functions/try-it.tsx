import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type CallMethod, callMethods, takesBody, useCallFunction } from '../../api/call-function.ts';
import type { FunctionRecord } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { useProject } from '../../frame/use-project.ts';
import { Choice } from '../../kit/choice.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Empty } from '../../kit/empty.tsx';
import { AreaField, Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { UserField } from '../collection/access/user-field.tsx';
import { callOf, type Draft, firstDraft, readHeaders } from './call-draft.ts';
import { curlOf } from './call-text.ts';
import css from './functions.module.css';
import { TryAnswer } from './try-answer.tsx';

const { tryFunction: words } = codeTexts;

interface TryItProps {
  readonly projectRef: string;
  readonly one: FunctionRecord;
}

/** Calls a function that answers requests. */
export function TryIt({ projectRef: ref, one }: TryItProps) {
  if (one.kind === 'http') return <TryRequest projectRef={ref} name={one.name} />;
  return (
    <Empty title={words.notHttp} text={words.notHttpText[one.kind]}>
      <Link to="/p/$ref/functions/$function" params={{ ref, function: one.name }}>
        {codeTexts.oneFunction.parts.runs}
      </Link>
    </Empty>
  );
}

function TryRequest({ projectRef, name }: { readonly projectRef: string; readonly name: string }) {
  const { ref, url } = useProject();
  const [draft, setDraft] = useState<Draft>(firstDraft);
  const call = useCallFunction(projectRef);
  const made = callOf(name, draft);
  return (
    <>
      <div className={css.try}>
        <Form
          button={words.send}
          isPending={call.isPending}
          isDisabled={made === undefined}
          error={call.error}
          onSend={() => made && call.mutate(made)}
        >
          <CallFields
            projectRef={projectRef}
            draft={draft}
            onChange={(part) => setDraft({ ...draft, ...part })}
          />
        </Form>
        {call.data && <TryAnswer key={call.submittedAt} projectRef={projectRef} answer={call.data} />}
      </div>
      {made && (
        <Section title={words.curl} lead={words.curlText}>
          <Copyable text={curlOf(made, url ?? `${location.origin}/p/${ref}`)} label={words.curl} />
        </Section>
      )}
    </>
  );
}

interface CallFieldsProps {
  readonly projectRef: string;
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

const methodWords = Object.fromEntries(callMethods.map((method) => [method, method])) as Record<
  CallMethod,
  string
>;

function CallFields({ projectRef, draft, onChange }: CallFieldsProps) {
  const { method, path, headers, body, as, user } = draft;
  const { wrong } = readHeaders(headers);
  const mustRead = as === 'user' && takesBody(method);
  return (
    <>
      <div className={css.line}>
        <SelectField
          label={words.method}
          words={methodWords}
          value={method}
          onChange={(next) => onChange({ method: next })}
        />
        <Field
          label={words.path}
          hint={words.pathHint}
          autoComplete="off"
          spellCheck={false}
          value={path}
          onChange={(event) => onChange({ path: event.target.value })}
        />
      </div>
      <div className={css.choice}>
        <Choice label={words.as} words={words.whom} value={as} onChange={(next) => onChange({ as: next })} />
        <p className={css.note}>{words.asHints[as]}</p>
      </div>
      {mustRead && <p role="alert">{words.onlyReads}</p>}
      {as === 'user' && (
        <UserField projectRef={projectRef} value={user} onChange={(id) => onChange({ user: id })} />
      )}
      <AreaField
        label={words.headers}
        hint={words.headersHint}
        mistake={wrong === undefined ? undefined : words.wrongHeader(wrong)}
        rows={2}
        value={headers}
        onChange={(event) => onChange({ headers: event.target.value })}
      />
      {takesBody(method) && (
        <AreaField
          label={words.body}
          hint={words.bodyHint}
          rows={8}
          value={body}
          onChange={(event) => onChange({ body: event.target.value })}
        />
      )}
    </>
  );
}
