import { type FormEvent, useState } from 'react';
import { useAccount, useSignIn } from '../../api/account.ts';
import { Refusal } from '../../api/management.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import css from './account-page.module.css';

/** Is this the answer to something that needs a recent sign-in? */
export const needsSignIn = (error: Error | null): boolean =>
  error instanceof Refusal && error.code === 'sign_in_again';

interface SignInAgainProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for the password once more, then goes on with what was meant. */
export function SignInAgain({ onDone, onClose }: SignInAgainProps) {
  const { email, second_factor: hasFactor } = useAccount();
  const signIn = useSignIn();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ email, password, ...(hasFactor && { code }) }, { onSuccess: onDone });
  };
  return (
    <Dialog title={texts.account.again} onClose={onClose}>
      <form className={css.form} onSubmit={send}>
        <p>{texts.account.againText}</p>
        <Field
          label={texts.signIn.password}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {hasFactor && (
          <Field
            label={texts.signIn.code}
            hint={texts.signIn.codeHint}
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        {signIn.error && <Problem error={signIn.error} />}
        <button data-kind="main" disabled={signIn.isPending}>
          {texts.signIn.button}
        </button>
      </form>
    </Dialog>
  );
}
