import { useState } from 'react';
import { useChangeConfigs } from '../../api/settings.ts';
import { Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { type ConfigProps, keysIn } from './config-props.ts';
import css from './sign-in-settings.module.css';

const { signInSettings: words } = texts;
const key = 'ALLOWED_SELF_ROLES';

type Which = keyof typeof words.rolesWhich;

/** Which roles users may give themselves: any, some or none. */
export function SelfRoles({ projectRef, configs }: ConfigProps) {
  const [config] = keysIn(configs, [key]);
  const change = useChangeConfigs(projectRef);
  const say = useToast();
  const value = config?.value ?? null;
  const stored: Which = value === null ? 'any' : value === '' ? 'none' : 'some';
  const [which, setWhich] = useState(stored);
  const [roles, setRoles] = useState(String(value ?? ''));
  const wanted = { any: null, none: '', some: roles }[which];
  return (
    <Section title={words.roles} lead={words.rolesText}>
      {config?.warning && (
        <p className={css.warning}>
          <Tag tone="warning">{words.mind}</Tag> {config.warning}
        </p>
      )}
      <div>
        <Form
          button={words.save}
          isPending={change.isPending}
          isDisabled={wanted === value}
          error={change.error}
          onSend={() => change.mutate({ [key]: wanted }, { onSuccess: () => say({ text: words.saved }) })}
        >
          <SelectField label={words.rolesLabel} words={words.rolesWhich} value={which} onChange={setWhich} />
          {which === 'some' && (
            <Field
              label={words.rolesNames}
              hint={words.rolesNamesHint}
              required
              placeholder="user,author"
              value={roles}
              onChange={(event) => setRoles(event.target.value)}
            />
          )}
        </Form>
      </div>
    </Section>
  );
}
