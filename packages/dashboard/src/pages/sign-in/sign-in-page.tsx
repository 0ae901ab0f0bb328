import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { type SignInMethods, signInMethodsQuery, useSignIn } from '../../api/account.ts';
import { manage, Refusal } from '../../api/management.ts';
import { Mark } from '../../frame/mark.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import { OtherWays } from './other-ways.tsx';
import css from './sign-in-page.module.css';
import { SignUpForm } from './sign-up-form.tsx';

const { signIn: words } = texts;

/** What a link carries that signs in, once; it leaves the address bar at once. */
function takeToken(): string | undefined {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function SignInPage() {
  const [token] = useState(takeToken);
  const { to = '/', signUp: isSigningUp = false } = useSearch({ from: '/sign-in' });
  const { data: methods } = useQuery(signInMethodsQuery);
  const signIn = useSignIn();
  const { mutate } = signIn;
  const path = `/dashboard${to.replace(/^\/dashboard(?=\/|$)/, '')}`;
  const goOn = useGoOn(path);
  useEffect(() => {
    if (token !== undefined) mutate({ token }, { onSuccess: goOn });
  }, [token, mutate, goOn]);
  return (
    <main className={css.page}>
      <div className={css.card}>
        <Mark />
        <h1>{isSigningUp ? words.signUp : words.title}</h1>
        <p className={css.lead}>{token !== undefined && signIn.isPending ? words.byLink : words.lead}</p>
        {isSigningUp ? (
          <SignUpForm onDone={goOn} />
        ) : (
          <>
            <SignInForm signIn={signIn} onDone={goOn} />
            <OtherWays methods={methods} signIn={signIn} to={path} onDone={goOn} />
          </>
        )}
        <SwitchForm methods={methods} isSigningUp={isSigningUp} to={to} />
      </div>
    </main>
  );
}

interface SwitchFormProps {
  readonly methods: SignInMethods | undefined;
  readonly isSigningUp: boolean;
  readonly to: string;
}

/** From the one form to the other; where only the invited may come, says so. */
function SwitchForm({ methods, isSigningUp, to }: SwitchFormProps) {
  if (isSigningUp)
    return (
      <Link to="/sign-in" search={{ to }}>
        {words.haveAccount}
      </Link>
    );
  if (methods?.signup === 'open')
    return (
      <Link to="/sign-in" search={{ to, signUp: true }}>
        {words.noAccount}
      </Link>
    );
  return methods?.signup === 'invited' ? <p className={css.lead}>{words.invitedOnly}</p> : null;
}

/** To the page that was wanted before the sign-in came. */
function useGoOn(path: string): () => void {
  const navigate = useNavigate();
  const router = useRouter();
  const [goOn] = useState(() => () => {
    void router.invalidate().then(() => navigate({ href: path, replace: true }));
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
