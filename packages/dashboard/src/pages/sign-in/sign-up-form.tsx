import { useState } from 'react';
import { useSignUp } from '../../api/account.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { texts } from '../../texts.ts';

const { signIn: words } = texts;

/** For deployments where anybody may make an account. */
export function SignUpForm({ onDone }: { readonly onDone: () => void }) {
  const signUp = useSignUp();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  return (
    <Form
      button={words.signUp}
      isPending={signUp.isPending}
      error={signUp.error}
      onSend={() => signUp.mutate({ name, email, password }, { onSuccess: onDone })}
    >
      <Field
        label={texts.account.name}
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={words.email}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label={words.password}
        hint={words.newPasswordHint}
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Form>
  );
}
