import { type TemplateName, templates } from '@plinth/runtime/templates';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DeployedFiles, deployedFilesQuery } from '../../api/deploy.ts';
import { deploymentsQuery } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Field } from '../../kit/field.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { CodeFrame } from './code-frame.tsx';
import css from './code-part.module.css';
import { DeployBar } from './deploy-bar.tsx';

const { functionCode: words, oneFunction } = codeTexts;
const from = '/signed-in/p/$ref/functions/-new';
const functionName = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** A new function in one file, beside what runs already. */
export function NewFunctionPage() {
  const { ref } = useParams({ from });
  const { template = 'http' } = useSearch({ from });
  const { data: deployments, error } = useQuery(deploymentsQuery(ref));
  const active = deployments?.find(({ isActive }) => isActive);
  const files = useQuery({
    ...deployedFilesQuery(ref, active?.version ?? 0),
    enabled: active !== undefined,
  });
  const isReady = active === undefined || files.data !== undefined;
  const failure = error ?? files.error;
  return (
    <Page>
      <Link to="/p/$ref/functions" params={{ ref }}>
        {oneFunction.back}
      </Link>
      <Head title={words.newFunction} lead={words.newLead} />
      {failure && <Problem error={failure} />}
      {!deployments && !failure && <Wait lines={8} />}
      {deployments && (
        <NewFunction projectRef={ref} template={template} base={files.data} isReady={isReady} />
      )}
    </Page>
  );
}

interface NewFunctionProps {
  readonly projectRef: string;
  readonly template: TemplateName;
  /** What runs now, if anything does. */
  readonly base: DeployedFiles | undefined;
  /** Whether it is known what runs now. */
  readonly isReady: boolean;
}

function NewFunction({ projectRef: ref, template, base, isReady }: NewFunctionProps) {
  const [name, setName] = useState('');
  const [written, setWritten] = useState<string>();
  const navigate = useNavigate();
  const mistake = mistakeIn(name, base);
  const file = `${name}.ts`;
  const text = written ?? templates[template];
  const canDeploy = isReady && name !== '' && mistake === undefined;
  return (
    <>
      <div className={css.fields}>
        <Field
          label={words.name}
          hint={words.nameHint}
          mistake={mistake}
          autoComplete="off"
          spellCheck={false}
          maxLength={63}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Choice
          label={words.template}
          words={words.templates}
          value={template}
          onChange={(next) => {
            setWritten(undefined);
            void navigate({
              to: '/p/$ref/functions/-new',
              params: { ref },
              search: next === 'http' ? {} : { template: next },
              replace: true,
              ignoreBlocker: true,
            });
          }}
        />
      </div>
      <CodeFrame key={template} label={words.code} text={templates[template]} onChange={setWritten} />
      <DeployBar
        projectRef={ref}
        base={base}
        change={canDeploy ? { file, text, note: words.newNote(name) } : undefined}
        isWritten={written !== undefined}
        onDeployed={() =>
          void navigate({
            to: '/p/$ref/functions/$function',
            params: { ref, function: name },
            search: template === 'http' ? { part: 'try' } : {},
            ignoreBlocker: true,
          })
        }
      />
    </>
  );
}

function mistakeIn(name: string, base: DeployedFiles | undefined): string | undefined {
  if (name === '') return undefined;
  if (!functionName.test(name)) return words.wrongName;
  const isTaken = base?.entries.some((entry) => entry.replace(/\.[jt]s$/, '') === name);
  return isTaken ? words.takenName : undefined;
}
