import { useState } from 'react';
import { type AppUser, useChangeUser } from '../../api/users.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Switch } from '../../kit/switch.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { typedSince } from '../../kit/typed-since.ts';
import { texts } from '../../texts.ts';

const { user: words } = texts;

interface UserAccountProps {
  readonly projectRef: string;
  readonly user: AppUser;
}

/** Address, phone and role. Only what was changed is sent: a new address is not verified unless that is said. */
export function UserAccount({ projectRef, user }: UserAccountProps) {
  const change = useChangeUser(projectRef, user.id);
  const say = useToast();
  const stored = {
    email: user.email ?? '',
    email_verified: user.email_verified,
    phone: user.phone ?? '',
    role: user.role,
  };
  const [edits, setEdits] = useState<Partial<typeof stored>>({});
  const shown = { ...stored, ...edits };
  const { phone, ...others } = edits;
  const changes = { ...others, ...(phone !== undefined && { phone: phone === '' ? null : phone }) };
  const edit = (part: typeof edits) => setEdits({ ...edits, ...part });
  return (
    <Form
      button={words.save}
      isPending={change.isPending}
      isDisabled={Object.keys(edits).length === 0}
      error={change.error}
      onSend={() =>
        change.mutate([changes], {
          onSuccess: () => {
            setEdits((now) => typedSince(now, edits));
            say({ text: words.saved });
          },
        })
      }
    >
      <Field
        label={texts.users.email}
        type="email"
        required
        autoComplete="off"
        value={shown.email}
        onChange={(event) => edit({ email: event.target.value })}
      />
      <Switch
        label={words.isVerified}
        hint={words.isVerifiedHint}
        isOn={shown.email_verified}
        onChange={(isOn) => edit({ email_verified: isOn })}
      />
      <Field
        label={texts.users.role}
        hint={texts.users.roleHint}
        required
        maxLength={64}
        autoComplete="off"
        value={shown.role}
        onChange={(event) => edit({ role: event.target.value })}
      />
      <Field
        label={words.phone}
        hint={words.phoneHint}
        type="tel"
        autoComplete="off"
        value={shown.phone}
        onChange={(event) => edit({ phone: event.target.value })}
      />
    </Form>
  );
}
