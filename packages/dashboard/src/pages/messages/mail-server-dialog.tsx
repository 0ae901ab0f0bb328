import { useState } from 'react';
import { useSetService } from '../../api/services.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { messages: words } = texts;

interface MailServerDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

type Typed = Readonly<Record<'host' | 'port' | 'user' | 'password' | 'from' | 'reply_to', string>>;
const nothing: Typed = { host: '', port: '', user: '', password: '', from: '', reply_to: '' };

/** A mail server of the project's own. */
export function MailServerDialog({ projectRef, onClose }: MailServerDialogProps) {
  const set = useSetService(projectRef);
  const say = useToast();
  const [typed, setTyped] = useState(nothing);
  const [tls, setTls] = useState<keyof typeof words.tlsKinds>('starttls');
  const { port, ...others } = typed;
  const settings = {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...(port !== '' && { port: Number(port) }),
    tls,
  };
  const field = (name: keyof Typed) => ({
    label: words.mailFields[name],
    value: typed[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTyped({ ...typed, [name]: target.value }),
  });
  const done = () => {
    onClose();
    say({ text: words.wayReady });
  };
  return (
    <Dialog title={words.ways.mail.name} onClose={onClose}>
      <Form
        button={words.save}
        isPending={set.isPending}
        error={set.error}
        onSend={() => set.mutate({ service: 'mail', settings }, { onSuccess: done })}
      >
        <Field {...field('host')} required autoFocus placeholder="mail.example.com" />
        <SelectField label={words.tls} words={words.tlsKinds} value={tls} onChange={setTls} />
        <Field
          {...field('port')}
          type="number"
          min={1}
          max={65_535}
          placeholder={tls === 'implicit' ? '465' : '587'}
        />
        <Field {...field('user')} />
        <Field {...field('password')} type="password" />
        <Field {...field('from')} type="email" required placeholder="hello@example.com" />
        <Field {...field('reply_to')} type="email" />
        <p>{texts.signInSettings.kept}</p>
      </Form>
    </Dialog>
  );
}
