import { useState } from 'react';
import { useSetOrigins } from '../../api/settings.ts';
import { useProject } from '../../frame/use-project.ts';
import { Choice } from '../../kit/choice.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Switch } from '../../kit/switch.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { Rooms } from './rooms.tsx';
import css from './settings.module.css';
import { useSettings } from './use-settings.ts';

const { settings: words } = texts;

export function Access() {
  return (
    <>
      <Origins />
      <Who />
      <Rooms />
    </>
  );
}

function Origins() {
  const { ref, allowedOrigins = [] } = useProject();
  const set = useSetOrigins(ref);
  const say = useToast();
  const [typed, setTyped] = useState('');
  const save = (origins: readonly string[], text: string) =>
    set.mutate(origins, {
      onSuccess: () => {
        setTyped('');
        say({ text, undo: () => set.mutate(allowedOrigins) });
      },
    });
  return (
    <Section title={words.origins} lead={words.originsText}>
      {allowedOrigins.length === 0 && <p>{words.noOrigins}</p>}
      {allowedOrigins.length > 0 && (
        <Rows>
          {allowedOrigins.map((origin) => (
            <Row key={origin} title={<code>{origin}</code>} facts="">
              <button
                type="button"
                aria-label={words.removeOne(origin)}
                onClick={() =>
                  save(
                    allowedOrigins.filter((one) => one !== origin),
                    words.originRemoved,
                  )
                }
              >
                {words.remove}
              </button>
            </Row>
          ))}
        </Rows>
      )}
      <form
        className={css.line}
        onSubmit={(event) => {
          event.preventDefault();
          // What follows the host in a pasted address is no part of the origin.
          save([...allowedOrigins, URL.parse(typed)?.origin ?? typed], words.originAdded);
        }}
      >
        <Field
          label={words.addOrigin}
          placeholder="https://app.example.com"
          inputMode="url"
          required
          mistake={set.error?.message}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button disabled={set.isPending}>{words.add}</button>
      </form>
    </Section>
  );
}

function Who() {
  const { settings, save, error } = useSettings();
  return (
    <Section title={words.who}>
      {error && <Problem error={error} />}
      <div className={css.options}>
        <div className={css.option}>
          <Choice
            label={words.uploads}
            words={words.uploadsWords}
            value={settings.uploads}
            onChange={(uploads) => save({ uploads })}
          />
          <p className={css.hint}>{words.uploadsText}</p>
        </div>
        <Switch
          label={words.browserKeys}
          hint={words.browserKeysText}
          isOn={settings.refuseBrowserKeys}
          onChange={(refuseBrowserKeys) => save({ refuseBrowserKeys })}
        />
      </div>
    </Section>
  );
}
