import { useState } from 'react';
import { useSetService } from '../../api/services.ts';
import { Choice } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { messages: words } = texts;

interface TextGatewayDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

type Setting = keyof typeof words.smsFields;

const settingsOf = { webhook: ['url', 'secret'], twilio: ['account_sid', 'auth_token', 'from'] } as const;
const secrets: readonly Setting[] = ['secret', 'auth_token'];

/** Who sends the text messages of the project. */
export function TextGatewayDialog({ projectRef, onClose }: TextGatewayDialogProps) {
  const set = useSetService(projectRef);
  const say = useToast();
  const [kind, setKind] = useState<keyof typeof settingsOf>('twilio');
  const [typed, setTyped] = useState<Readonly<Partial<Record<Setting, string>>>>({});
  const names: readonly Setting[] = settingsOf[kind];
  const settings = { kind, ...Object.fromEntries(names.map((name) => [name, typed[name] ?? ''])) };
  const done = () => {
    onClose();
    say({ text: words.wayReady });
  };
  return (
    <Dialog title={words.ways.sms.name} onClose={onClose}>
      <Form
        button={words.save}
        isPending={set.isPending}
        error={set.error}
        onSend={() => set.mutate({ service: 'sms', settings }, { onSuccess: done })}
      >
        <Choice label={words.smsKind} words={words.smsKinds} value={kind} onChange={setKind} />
        <p>{words.smsKindTexts[kind]}</p>
        {names.map((name) => (
          <Field
            key={name}
            label={words.smsFields[name]}
            type={secrets.includes(name) ? 'password' : 'text'}
            required
            autoComplete="off"
            {...(name === 'secret' && { minLength: 16 })}
            value={typed[name] ?? ''}
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        ))}
        <p>{texts.signInSettings.kept}</p>
      </Form>
    </Dialog>
  );
}
