import { useState } from 'react';
import { type Config, type ConfigValue, useChangeConfigs } from '../../api/settings.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { typedSince } from '../../kit/typed-since.ts';
import { texts } from '../../texts.ts';
import { meaningOf } from './config-props.ts';

const { signInSettings: words } = texts;

interface ConfigFormProps {
  readonly projectRef: string;
  readonly keys: readonly Config[];
  readonly labels: Readonly<Record<string, string>>;
  readonly type: 'number' | 'url';
}

/** Keys that are typed in and saved together. Whatever is emptied has its default again. */
export function ConfigForm({ projectRef, keys, labels, type }: ConfigFormProps) {
  const change = useChangeConfigs(projectRef);
  const say = useToast();
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const changes = Object.fromEntries(
    Object.entries(edits).map(([key, text]): [string, ConfigValue] => [key, text.trim() || null]),
  );
  return (
    <Form
      button={words.save}
      isPending={change.isPending}
      isDisabled={Object.keys(edits).length === 0}
      error={change.error}
      onSend={() =>
        change.mutate(changes, {
          onSuccess: () => {
            setEdits((now) => typedSince(now, edits));
            say({ text: words.saved });
          },
        })
      }
    >
      {keys.map((config) => (
        <Field
          key={config.key}
          label={labels[config.key] ?? config.key}
          hint={[meaningOf(config), config.warning].filter(Boolean).join(' ')}
          type={type}
          placeholder={config.default === null ? words.notSet : words.byDefault(config.default)}
          value={edits[config.key] ?? (config.isSet ? String(config.value ?? '') : '')}
          onChange={(event) => setEdits({ ...edits, [config.key]: event.target.value })}
        />
      ))}
    </Form>
  );
}
