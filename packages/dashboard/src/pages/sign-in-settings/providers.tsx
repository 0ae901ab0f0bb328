import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { servicesQuery, useForgetService, useTryProvider } from '../../api/services.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import { type ConfigProps, keysIn } from './config-props.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import css from './sign-in-settings.module.css';

const { signInSettings: words } = texts;

/** Google and others: which are set up, and whether they answer. */
export function Providers({ projectRef: ref, configs }: ConfigProps) {
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const { data: services, error } = useQuery(servicesQuery(ref));
  const [frontend] = keysIn(configs, ['FRONTEND_URL']);
  const app = String(frontend?.value ?? project.allowedOrigins?.[0] ?? 'http://localhost:5173');
  const [redirectUri, setRedirectUri] = useState(() => new URL('/signed-in', app).href);
  const [edited, setEdited] = useState<{ readonly name?: string }>();
  const names = services?.flatMap((service) => /^provider:(.+)$/.exec(service)?.slice(1) ?? []);
  return (
    <>
      <Section title={words.redirectUri} lead={words.redirectUriText}>
        <div className={css.redirect}>
          <Field
            label={words.redirectUriPage}
            type="url"
            value={redirectUri}
            onChange={(event) => setRedirectUri(event.target.value)}
          />
          <Copyable label={words.redirectUri} text={redirectUri} />
        </div>
      </Section>
      <Section title={words.providers}>
        {error && <Problem error={error} />}
        {names?.length === 0 && <Empty title={words.noProviders} text={words.noProvidersText} />}
        {names && names.length > 0 && (
          <Rows>
            {names.map((name) => (
              <Provider
                key={name}
                projectRef={ref}
                name={name}
                redirectUri={redirectUri}
                onChange={() => setEdited({ name })}
              />
            ))}
          </Rows>
        )}
        <button type="button" onClick={() => setEdited({})}>
          {words.addProvider}
        </button>
      </Section>
      {edited && (
        <ProviderDialog
          projectRef={ref}
          name={edited.name}
          redirectUri={redirectUri}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface ProviderProps {
  readonly projectRef: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly onChange: () => void;
}

function Provider({ projectRef, name, redirectUri, onChange }: ProviderProps) {
  const attempt = useTryProvider(projectRef);
  const forget = useForgetService(projectRef);
  const [isAsking, setAsking] = useState(false);
  return (
    <Row title={words.kinds[name as keyof typeof words.kinds] ?? name} facts={words.secretKept}>
      <button
        type="button"
        aria-label={`${words.test}: ${name}`}
        disabled={attempt.isPending}
        onClick={() => attempt.mutate({ name, redirectUri })}
      >
        {words.test}
      </button>
      <button type="button" aria-label={`${words.change}: ${name}`} onClick={onChange}>
        {words.change}
      </button>
      <button
        type="button"
        data-kind="danger"
        aria-label={`${words.remove}: ${name}`}
        onClick={() => setAsking(true)}
      >
        {words.remove}
      </button>
      <div className={css.outcome} role="status">
        {attempt.error && <Problem error={attempt.error} />}
        {attempt.data && (
          <p>
            {words.testWorked}{' '}
            <a href={attempt.data.url} target="_blank" rel="noreferrer">
              {words.testOpen}
            </a>
          </p>
        )}
      </div>
      {isAsking && (
        <Confirm
          title={words.removeProvider(name)}
          text={words.removeProviderText}
          button={words.remove}
          isPending={forget.isPending}
          error={forget.error}
          onSend={() => forget.mutate(`provider:${name}`, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}
