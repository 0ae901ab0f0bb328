import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { firstStepsQuery } from '../../api/first-steps.ts';
import { projectQuery } from '../../api/projects.ts';
import { Page } from '../../frame/page.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { Attention } from './attention.tsx';
import { Connect } from './connect.tsx';
import { Health } from './health.tsx';
import css from './home-page.module.css';

const { home: words } = texts;

export function HomePage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/' });
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const url = project.url ?? `${location.origin}/p/${ref}`;
  return (
    <Page>
      <Head title={project.name} />
      <Copyable text={url} label={words.address} />
      <Begun projectRef={ref} url={url} />
      <Connect projectRef={ref} url={url} />
    </Page>
  );
}

interface AboutProject {
  readonly projectRef: string;
  readonly url: string;
}

/** The first steps until they are done, then how the project is. They stay where they were done just now. */
function Begun({ projectRef: ref, url }: AboutProject) {
  const { data: steps, isPending } = useQuery(firstStepsQuery(ref));
  const [wasOpen, setWasOpen] = useState(false);
  if (steps && !steps.hasRead && !wasOpen) setWasOpen(true);
  if (isPending) return <Wait lines={6} />;
  return (
    <>
      {steps?.hasRead && <Health projectRef={ref} />}
      {steps?.hasRead && <Attention projectRef={ref} />}
      {(wasOpen || !steps) && <FirstStepsSection projectRef={ref} url={url} />}
    </>
  );
}

function FirstStepsSection({ projectRef, url }: AboutProject) {
  const { data: steps, error } = useQuery(firstStepsQuery(projectRef));
  const send = `-H "X-API-Key: $PLINTH_KEY" -H "Content-Type: application/json"`;
  return (
    <Section title={words.steps} lead={words.stepsText}>
      {error && <Problem error={error} />}
      <ol className={css.steps}>
        <Step
          name={words.create}
          isDone={steps?.hasCollection ?? false}
          command={`curl ${url}/collections ${send} -d '{"name":"posts"}'`}
        />
        <Step
          name={words.insert}
          isDone={steps?.hasDocument ?? false}
          command={`curl ${url}/collections/posts ${send} -d '{"title":"Hello"}'`}
        />
        <Step
          name={words.read}
          isDone={steps?.hasRead ?? false}
          command={`curl ${url}/collections/posts -H "X-API-Key: $PLINTH_KEY"`}
        />
      </ol>
      <p role="status">{steps?.hasRead ? words.ready : ''}</p>
      <a href="/docs">{words.reference}</a>
    </Section>
  );
}

interface StepProps {
  readonly name: string;
  readonly isDone: boolean;
  readonly command: string;
}

function Step({ name, isDone, command }: StepProps) {
  return (
    <li className={css.step}>
      <p className={css.name}>
        <span className={css.tick} data-done={isDone} aria-hidden="true">
          {isDone ? '✓' : ''}
        </span>
        {name}
        <span className="visually-hidden">{isDone ? words.isDone : words.isOpen}</span>
      </p>
      <Copyable text={command} label={name} />
    </li>
  );
}
