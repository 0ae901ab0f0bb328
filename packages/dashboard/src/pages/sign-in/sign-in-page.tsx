import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { useSignIn } from '../../api/account.ts';
import { manage, Refusal } from '../../api/management.ts';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import css from './sign-in-page.module.css';

const { signIn: words } = texts;

/** What a link carries that signs in, once; it leaves the address bar at once. */
function takeToken(): string | undefined {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function SignInPage() {
  const [token] = useState(takeToken);
  const signIn = useSignIn();
  const { mutate } = signIn;
  const goOn = useGoOn();
  useEffect(() => {
    if (token !== undefined) mutate({ token }, { onSuccess: goOn });
  }, [token, mutate, goOn]);
  return (
    <main className={css.page}>
      <div className={css.card}>
        <h1>{words.title}</h1>
        <p className={css.lead}>{token !== undefined && signIn.isPending ? words.byLink : words.lead}</p>
        <SignInForm signIn={signIn} onDone={goOn} />
      </div>
    </main>
  );
}

/** To the page that was wanted before the sign-in came. */
function useGoOn(): () => void {
  const { to = '/' } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const router = useRouter();
  const [goOn] = useState(() => () => {
    void router
      .invalidate()
      .then(() => navigate({ href: `/dashboard${to.replace(/^\/dashboard(?=\/|$)/, '')}`, replace: true }));
  });
  return goOn;
}

interface SignInFormProps {
  readonly signIn: ReturnType<typeof useSignIn>;
  readonly onDone: () => void;
}

function SignInForm({ signIn, onDone }: SignInFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { error } = signIn;
  // Once it is asked for it stays, also after a wrong one.
  const [needsCode, setNeedsCode] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const given = { email, password, ...(code !== '' && { code }) };
    signIn.mutate(given, {
      onSuccess: onDone,
      onError: (failure) =>
        setNeedsCode(
          (before) => before || (failure instanceof Refusal && failure.code === 'second_step_required'),
        ),
    });
  };
  const isAsking = error instanceof Refusal && error.code === 'second_step_required';
  return (
    <form className={css.form} onSubmit={send}>
      <Field
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label={words.password}
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {needsCode && (
        <Field
          label={words.code}
          hint={words.codeHint}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          required
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      {error && !isAsking && <Problem error={error} />}
      <button data-kind="main" disabled={signIn.isPending}>
        {words.button}
      </button>
      <Forgotten email={email} />
    </form>
  );
}

function Forgotten({ email }: { readonly email: string }) {
  const [said, setSaid] = useState('');
  const ask = () => {
    if (email === '') return setSaid(words.forgottenNeedsEmail);
    manage('/password-reset', { method: 'POST', body: { email } }).then(
      () => setSaid(words.forgottenDone),
      (error: Error) => setSaid(error.message),
    );
  };
  return (
    <>
      <button type="button" data-kind="bare" onClick={ask}>
        {words.forgotten}
      </button>
      <p role="status">{said}</p>
    </>
  );
}
