import { type FormEvent, useState } from 'react';
import { useAccount, useSignOut } from '../../api/account.ts';
import { useRename } from '../../api/account-details.ts';
import { Choice } from '../../kit/choice.tsx';
import { Field } from '../../kit/field.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { applyLook, readLook } from '../../look.ts';
import { texts } from '../../texts.ts';
import css from './account-page.module.css';
import { Email } from './email.tsx';
import { Log } from './log.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

const { account: words } = texts;

export function AccountPage() {
  const { email } = useAccount();
  const signOut = useSignOut();
  return (
    <>
      <Head title={words.title} />
      <Name />
      <Email />
      <Look />
      <Password />
      <Passkeys />
      <SecondFactor />
      <Sessions />
      <Tokens />
      <Log />
      <Section title={words.signOut} lead={email}>
        <button type="button" onClick={() => signOut.mutate()}>
          {words.signOut}
        </button>
      </Section>
    </>
  );
}

function Name() {
  const account = useAccount();
  const rename = useRename();
  const [name, setName] = useState(account.name);
  const send = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name);
  };
  return (
    <form className={css.form} onSubmit={send}>
      <Field
        label={words.name}
        hint={words.nameHint}
        maxLength={100}
        autoComplete="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {rename.error && <Problem error={rename.error} />}
      <button disabled={rename.isPending}>
        <span aria-live="polite">{rename.isSuccess && name === account.name ? words.saved : words.save}</span>
      </button>
    </form>
  );
}

function Look() {
  const [look, setLook] = useState(readLook);
  const change = (part: Partial<typeof look>) => {
    const next = { ...look, ...part };
    applyLook(next);
    setLook(next);
  };
  return (
    <Section title={words.look}>
      <Choice
        label={words.theme}
        words={words.themes}
        value={look.theme}
        onChange={(theme) => change({ theme })}
      />
      <Choice
        label={words.density}
        words={words.densities}
        value={look.density}
        onChange={(density) => change({ density })}
      />
    </Section>
  );
}
