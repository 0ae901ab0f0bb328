import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { accountQuery, useAccount } from '../../api/account.ts';
import {
  useBeginFactor,
  useConfirmFactor,
  useRemoveFactor,
  useRenewCodes,
} from '../../api/account-details.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { needsSignIn, SignInAgain } from '../../frame/sign-in-again.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import css from './account-page.module.css';

const { account: words } = texts;
const Qr = lazy(() => import('./qr.tsx').then(({ Qr: component }) => ({ default: component })));

export function SecondFactor() {
  const { second_factor: isOn } = useAccount();
  const remove = useRemoveFactor();
  const renew = useRenewCodes();
  const refusal = refusalOf(remove) ?? refusalOf(renew);
  const [isSettingUp, setSettingUp] = useState(false);
  return (
    <Section title={words.secondFactor} lead={isOn ? words.secondFactorOn : words.secondFactorOff}>
      {refusal && <Problem error={refusal} />}
      {isOn ? (
        <div className={css.line}>
          <button type="button" onClick={() => renew.mutate()}>
            {words.renew}
          </button>
          <button type="button" data-kind="danger" onClick={() => remove.mutate()}>
            {words.remove}
          </button>
        </div>
      ) : (
        <button type="button" onClick={() => setSettingUp(true)}>
          {words.setUp}
        </button>
      )}
      {isSettingUp && <SetUp onClose={() => setSettingUp(false)} />}
      {renew.data && <RecoveryCodes codes={renew.data.recovery_codes} onClose={() => renew.reset()} />}
      <AsksAgain change={remove} />
      <AsksAgain change={renew} />
    </Section>
  );
}

function SetUp({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const begin = useBeginFactor();
  const confirm = useConfirmFactor();
  const { mutate } = begin;
  const [code, setCode] = useState('');
  useEffect(() => mutate(), [mutate]);
  const close = () => {
    void queries.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true });
    onClose();
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  if (needsSignIn(begin.error)) return <SignInAgain onDone={() => mutate()} onClose={onClose} />;
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={close} />;
  return (
    <Dialog title={words.setUp} onClose={onClose}>
      {begin.error && <Problem error={begin.error} />}
      {begin.data && (
        <form className={css.form} onSubmit={send}>
          <p>{words.setUpText}</p>
          <Suspense>
            <Qr text={begin.data.uri} label={words.qr} />
          </Suspense>
          <Copyable text={begin.data.secret} label={words.key} />
          <a href={begin.data.uri}>{words.setUpLink}</a>
          <Field
            label={texts.signIn.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
          {confirm.error && <Problem error={confirm.error} />}
          <button data-kind="main" disabled={confirm.isPending}>
            {words.confirm}
          </button>
        </form>
      )}
    </Dialog>
  );
}

function RecoveryCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={words.recovery} onClose={onClose}>
      <p>{words.recoveryText}</p>
      <Copyable text={codes.join('\n')} label={words.recovery}>
        <ul className={css.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </Copyable>
      <button type="button" data-kind="main" onClick={onClose}>
        {words.done}
      </button>
    </Dialog>
  );
}
