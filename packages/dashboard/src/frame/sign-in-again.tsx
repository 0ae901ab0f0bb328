import { useState } from 'react';
import { useAccount, useSignIn } from '../api/account.ts';
import { Refusal } from '../api/management.ts';
import { knowsPasskeys } from '../api/passkeys.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { Form } from '../kit/form.tsx';
import { texts } from '../texts.ts';

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
  return (
    <Dialog title={texts.account.again} onClose={onClose}>
      <Form
        button={texts.signIn.button}
        isPending={signIn.isPending}
        error={signIn.error}
        onSend={() => signIn.mutate({ email, password, ...(hasFactor && { code }) }, { onSuccess: onDone })}
      >
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
      </Form>
      {knowsPasskeys() && (
        <div>
          <button
            type="button"
            disabled={signIn.isPending}
            onClick={() => signIn.mutate({ passkey: true }, { onSuccess: onDone })}
          >
            {texts.signIn.passkey}
          </button>
        </div>
      )}
      <p>{texts.account.againWithout}</p>
    </Dialog>
  );
}
