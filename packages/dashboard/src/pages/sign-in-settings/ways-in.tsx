import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectQuery } from '../../api/projects.ts';
import { useChangeConfigs, useChangeSettings } from '../../api/settings.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Switch } from '../../kit/switch.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { type ConfigProps, keysIn, meaningOf } from './config-props.ts';
import css from './sign-in-settings.module.css';

const { signInSettings: words } = texts;

type SwitchKey = keyof typeof words.switches;
const switchKeys = Object.keys(words.switches) as SwitchKey[];

/** What happens around a sign-in, each as a switch with what it causes. */
export function WaysIn({ projectRef: ref, configs }: ConfigProps) {
  const change = useChangeConfigs(ref);
  const say = useToast();
  const set = (key: string, value: boolean) =>
    change.mutate(
      { [key]: value },
      {
        onSuccess: () => say({ text: words.saved, undo: () => change.mutate({ [key]: !value }) }),
      },
    );
  return (
    <Section title={words.ways} lead={words.waysText}>
      {change.error && <Problem error={change.error} />}
      <div className={css.switches}>
        {keysIn(configs, switchKeys).map((config) => (
          <Switch
            key={config.key}
            label={words.switches[config.key as SwitchKey]}
            hint={[meaningOf(config), config.warning].filter(Boolean).join(' ')}
            isOn={config.value === true}
            onChange={(isOn) => set(config.key, isOn)}
          />
        ))}
        <Settings projectRef={ref} />
      </div>
    </Section>
  );
}

function Settings({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const change = useChangeSettings(ref);
  const say = useToast();
  const { allow2faOptOut = false, language = 'en' } = project.settings ?? {};
  const saved = () => say({ text: words.saved });
  return (
    <>
      {change.error && <Problem error={change.error} />}
      <Switch
        label={words.optOut}
        hint={words.optOutHint}
        isOn={allow2faOptOut}
        onChange={(isOn) => change.mutate({ allow2faOptOut: isOn }, { onSuccess: saved })}
      />
      <p>
        {words.language(texts.languages[language])}{' '}
        <Link to="/p/$ref/settings" params={{ ref }} search={{ part: 'answers' }}>
          {words.changeLanguage}
        </Link>
      </p>
    </>
  );
}
