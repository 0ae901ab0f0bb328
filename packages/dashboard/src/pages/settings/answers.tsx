import { Link } from '@tanstack/react-router';
import { useProject } from '../../frame/use-project.ts';
import { Choice } from '../../kit/choice.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import css from './settings.module.css';
import { useSettings } from './use-settings.ts';

const { settings: words } = texts;

/** How the project answers, what it writes down, and in which language it speaks. */
export function Answers() {
  const { ref } = useProject();
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
        </div>
      </Section>
      <Section title={words.elsewhere}>
        <Rows>
          <Row
            title={
              <Link to="/p/$ref/messages" params={{ ref }}>
                {texts.messages.title}
              </Link>
            }
            facts={words.receivers}
          />
          <Row
            title={
              <Link to="/p/$ref/sign-in" params={{ ref }} search={{}}>
                {texts.signInSettings.title}
              </Link>
            }
            facts={words.optOut}
          />
        </Rows>
      </Section>
    </>
  );
}
