import { useState } from 'react';
import { Choice } from '../../kit/choice.tsx';
import { AreaField, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Switch } from '../../kit/switch.tsx';
import { texts } from '../../texts.ts';
import css from './settings.module.css';
import { useSettings } from './use-settings.ts';

const { settings: words } = texts;

/** How the project answers, what it writes down, and in which language it speaks. */
export function Answers() {
  const { settings, save, error } = useSettings();
  return (
    <>
      <Section title={words.answers}>
        {error && <Problem error={error} />}
        <div className={css.options}>
          <SelectField
            label={words.language}
            hint={words.languageText}
            words={words.languages}
            value={settings.language}
            onChange={(language) => save({ language })}
          />
          <div className={css.option}>
            <Choice
              label={words.format}
              words={words.formats}
              value={settings.responseFormat}
              onChange={(responseFormat) => save({ responseFormat })}
            />
            <p className={css.hint}>{words.formatText}</p>
          </div>
          <div className={css.option}>
            <Choice
              label={words.logQueries}
              words={words.logQueriesWords}
              value={settings.logQueries}
              onChange={(logQueries) => save({ logQueries })}
            />
            <p className={css.hint}>{words.logQueriesText}</p>
          </div>
          <Switch
            label={words.optOut}
            hint={words.optOutText}
            isOn={settings.allow2faOptOut}
            onChange={(allow2faOptOut) => save({ allow2faOptOut })}
          />
        </div>
      </Section>
      <TestReceivers />
    </>
  );
}

function TestReceivers() {
  const { settings, save, error } = useSettings();
  const known = settings.testReceivers.join('\n');
  const [typed, setTyped] = useState<string>();
  return (
    <Section title={words.receivers} lead={words.receiversText}>
      <Form
        button={words.save}
        isDisabled={typed === undefined || typed === known}
        onSend={() => save({ testReceivers: (typed ?? '').split(/[\s,;]+/).filter(Boolean) })}
      >
        <AreaField
          label={words.receiversLabel}
          rows={3}
          mistake={error?.message}
          value={typed ?? known}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Form>
    </Section>
  );
}
