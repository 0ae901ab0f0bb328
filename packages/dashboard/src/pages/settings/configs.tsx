import { useQuery } from '@tanstack/react-query';
import { type Config, configsQuery } from '../../api/settings.ts';
import { useProject } from '../../frame/use-project.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { ConfigRow } from './config-row.tsx';
import css from './settings.module.css';

const { settings: words } = texts;

const isAddress = ({ key }: Config) => key.endsWith('_URL');

/** The configuration keys, as the service describes them: it may have more one day. */
export function Configs() {
  const { ref } = useProject();
  const { data: configs, error, refetch } = useQuery(configsQuery(ref));
  return (
    <>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!configs && !error && <Wait lines={6} />}
      {configs && (
        <>
          <Section title={words.configsSignIn} lead={words.configsText}>
            <List projectRef={ref} configs={configs.filter((config) => !isAddress(config))} />
          </Section>
          <Section title={words.configsAddresses} lead={words.configsAddressesText}>
            <List projectRef={ref} configs={configs.filter(isAddress)} />
          </Section>
        </>
      )}
    </>
  );
}

function List({ projectRef, configs }: { readonly projectRef: string; readonly configs: readonly Config[] }) {
  return (
    <div className={css.configs}>
      {configs.map((config) => (
        <ConfigRow key={config.key} projectRef={projectRef} config={config} />
      ))}
    </div>
  );
}
