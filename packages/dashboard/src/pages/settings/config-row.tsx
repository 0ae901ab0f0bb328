import { type FormEvent, useState } from 'react';
import { type Config, type ConfigValue, useChangeConfigs } from '../../api/settings.ts';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Switch } from '../../kit/switch.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import css from './settings.module.css';

const { settings: words } = texts;

interface ConfigRowProps {
  readonly projectRef: string;
  readonly config: Config;
}

/** One key. What is changed is sent alone, and can be taken back. */
export function ConfigRow({ projectRef, config }: ConfigRowProps) {
  const change = useChangeConfigs(projectRef);
  const say = useToast();
  const { key, value, isSet } = config;
  const save = (next: ConfigValue) =>
    change.mutate(
      { [key]: next },
      {
        onSuccess: () =>
          say({ text: words.savedOne(key), undo: () => change.mutate({ [key]: isSet ? value : null }) }),
      },
    );
  // What was just chosen is shown at once.
  const shown = change.isPending ? { ...config, value: change.variables[key] ?? config.default } : config;
  const part = { config: shown, save, isPending: change.isPending, error: change.error };
  return (
    <div className={css.config}>
      {typeof config.default === 'boolean' ? <SwitchRow {...part} /> : <TextRow {...part} />}
      {config.warning !== null && <p className={css.warning}>{config.warning}</p>}
    </div>
  );
}

/** What the service has set in backticks, as code. */
const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));

interface PartProps {
  readonly config: Config;
  readonly save: (next: ConfigValue) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

function SwitchRow({ config: { key, value, meaning }, save, isPending, error }: PartProps) {
  return (
    <>
      <Switch
        label={key}
        hint={withCode(meaning)}
        isOn={value === true}
        isDisabled={isPending}
        onChange={save}
      />
      {error && <Problem error={error} />}
    </>
  );
}

function TextRow({ config, save, isPending, error }: PartProps) {
  const { key, value, default: fallback, isSet, form, meaning } = config;
  const known = value === null ? '' : String(value);
  const [typed, setTyped] = useState<string>();
  const isChanged = typed !== undefined && typed !== known;
  // Of roles, none is something else than nothing said.
  const canBeEmpty = fallback === null && !key.endsWith('_URL');
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTyped(undefined);
    save(typed === '' && !canBeEmpty ? null : (typed ?? known));
  };
  return (
    <form className={css.config} onSubmit={send}>
      <Field
        label={key}
        hint={withCode(meaning)}
        placeholder={value === null ? words.notSet : form}
        inputMode={typeof fallback === 'number' ? 'numeric' : 'text'}
        mistake={error?.message}
        value={typed ?? known}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={css.below}>
        <span>{fallback === null ? words.noDefault(form) : words.default(String(fallback), form)}</span>
        {isChanged && (
          <button data-kind="main" aria-label={words.saveOne(key)} disabled={isPending}>
            {words.save}
          </button>
        )}
        {isChanged && (
          <button type="button" data-kind="bare" onClick={() => setTyped(undefined)}>
            {words.discard}
          </button>
        )}
        {!isChanged && isSet && (
          <button type="button" aria-label={words.toDefaultOf(key)} onClick={() => save(null)}>
            {words.toDefault}
          </button>
        )}
        {!isChanged && canBeEmpty && value !== '' && (
          <button type="button" aria-label={words.setEmptyOf(key)} onClick={() => save('')}>
            {words.setEmpty}
          </button>
        )}
      </div>
    </form>
  );
}
