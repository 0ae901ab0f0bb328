import { useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { useAskForPassword, useChangePassword } from '../../api/account-details.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import css from './account-page.module.css';

const { account: words } = texts;

export function Password() {
  const { email } = useAccount();
  const ask = useAskForPassword();
  const say = useToast();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section title={words.password} lead={words.passwordText}>
      {ask.error && <Problem error={ask.error} />}
      <div className={css.line}>
        <button type="button" onClick={() => setChanging(true)}>
          {words.changePassword}
        </button>
        <button
          type="button"
          data-kind="bare"
          disabled={ask.isPending}
          onClick={() => ask.mutate(email, { onSuccess: () => say({ text: words.passwordMailed }) })}
        >
          {words.passwordByMail}
        </button>
      </div>
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </Section>
  );
}

function ChangeDialog({ onClose }: { readonly onClose: () => void }) {
  const change = useChangePassword();
  const say = useToast();
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  return (
    <Dialog title={words.changePassword} onClose={onClose}>
      <Form
        button={words.changePassword}
        isPending={change.isPending}
        error={change.error}
        onSend={() =>
          change.mutate(
            { old_password: before, new_password: after },
            {
              onSuccess: () => {
                say({ text: words.passwordChanged });
                onClose();
              },
            },
          )
        }
      >
        <Field
          label={words.oldPassword}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={before}
          onChange={(event) => setBefore(event.target.value)}
        />
        <Field
          label={words.newPassword}
          hint={texts.signIn.newPasswordHint}
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          value={after}
          onChange={(event) => setAfter(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}
