import { useState } from 'react';
import { useSetService } from '../../api/services.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { AreaField, Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { isSecret, type ProviderKind, type ProviderSetting, providerKinds } from './provider-kinds.ts';

const { signInSettings: words } = texts;

interface ProviderDialogProps {
  readonly projectRef: string;
  /** The one that is set anew; undefined: one more. */
  readonly name?: string | undefined;
  readonly redirectUri: string;
  readonly onClose: () => void;
}

const kindOf = (name: string): ProviderKind =>
  name === 'google' || name === 'apple' || name === 'github' ? name : 'other';

/** Asks for what a provider gave. What was set before is not known here: all of it is entered again. */
export function ProviderDialog({ projectRef, name: known, redirectUri, onClose }: ProviderDialogProps) {
  const set = useSetService(projectRef);
  const say = useToast();
  const [kind, setKind] = useState<ProviderKind>(known === undefined ? 'google' : kindOf(known));
  const [ownName, setOwnName] = useState(known ?? '');
  const [values, setValues] = useState<Readonly<Partial<Record<ProviderSetting, string>>>>({});
  const name = kind === 'other' ? ownName : kind;
  const { needs, takes } = providerKinds[kind];
  const given = [...needs, ...takes].flatMap((setting) => {
    const value = values[setting]?.trim();
    return value ? [[setting, value] as const] : [];
  });
  const done = () => {
    onClose();
    say({ text: words.providerSet(name) });
  };
  return (
    <Dialog title={known === undefined ? words.addProvider : words.changeProvider(known)} onClose={onClose}>
      <Form
        button={words.save}
        isPending={set.isPending}
        error={set.error}
        onSend={() =>
          set.mutate(
            { service: `provider:${name}`, settings: Object.fromEntries(given) },
            { onSuccess: done },
          )
        }
      >
        {known === undefined && (
          <SelectField label={words.provider} words={words.kinds} value={kind} onChange={setKind} />
        )}
        {known === undefined && kind === 'other' && (
          <Field
            label={words.providerName}
            hint={words.providerNameHint}
            required
            pattern="[a-z][a-z0-9_]{1,31}"
            autoComplete="off"
            value={ownName}
            onChange={(event) => setOwnName(event.target.value)}
          />
        )}
        <p>{words.register}</p>
        <Copyable label={words.redirectUri} text={redirectUri} />
        {[...needs, ...takes].map((setting) => (
          <Setting
            key={setting}
            setting={setting}
            isNeeded={needs.includes(setting)}
            value={values[setting] ?? ''}
            onChange={(value) => setValues({ ...values, [setting]: value })}
          />
        ))}
        <p>{words.kept}</p>
      </Form>
    </Dialog>
  );
}

interface SettingProps {
  readonly setting: ProviderSetting;
  readonly isNeeded: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Setting({ setting, isNeeded, value, onChange }: SettingProps) {
  const label = isNeeded ? words.providerFields[setting] : words.optional(words.providerFields[setting]);
  if (setting === 'private_key')
    return (
      <AreaField
        label={label}
        hint={words.privateKeyHint}
        required={isNeeded}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <Field
      label={label}
      type={isSecret(setting) ? 'password' : 'text'}
      required={isNeeded}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
