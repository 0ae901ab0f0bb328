import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { tokensQuery, useMakeToken, useRevokeToken } from '../../api/account-details.ts';
import { needsSignIn, SignInAgain } from '../../frame/sign-in-again.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import css from './account-page.module.css';

const { account: words } = texts;

export function Tokens() {
  const { data: tokens, error } = useQuery(tokensQuery);
  const revoke = useRevokeToken();
  const [isMaking, setMaking] = useState(false);
  return (
    <Section title={words.tokens} lead={words.tokensText}>
      {error && <Problem error={error} />}
      {revoke.error && <Problem error={revoke.error} />}
      {tokens?.length === 0 && <p>{words.noTokens}</p>}
      {tokens && tokens.length > 0 && (
        <Rows>
          {tokens.map(({ id, name, hint, access, expiresAt }) => (
            <Row
              key={id}
              title={name}
              facts={`plt_…${hint}, ${words.tokenAccesses[access]}, ${words.expires(when(expiresAt))}`}
            >
              <button
                type="button"
                data-kind="danger"
                aria-label={`${words.revoke}: ${name}`}
                disabled={revoke.isPending}
                onClick={() => revoke.mutate(id)}
              >
                {words.revoke}
              </button>
            </Row>
          ))}
        </Rows>
      )}
      <button type="button" onClick={() => setMaking(true)}>
        {words.newToken}
      </button>
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Section>
  );
}

function NewTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const make = useMakeToken();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<'read' | 'write'>('read');
  const wish = { name, access };
  const send = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(wish);
  };
  if (needsSignIn(make.error)) return <SignInAgain onDone={() => make.mutate(wish)} onClose={onClose} />;
  return (
    <Dialog title={words.newToken} onClose={onClose}>
      {make.data ? (
        <>
          <p>{words.tokenMade}</p>
          <Copyable text={make.data.token} label={words.newToken} />
        </>
      ) : (
        <form className={css.form} onSubmit={send}>
          <Field
            label={words.tokenName}
            required
            maxLength={100}
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Choice label={words.tokenAccess} words={words.tokenAccesses} value={access} onChange={setAccess} />
          {make.error && <Problem error={make.error} />}
          <button data-kind="main" disabled={make.isPending}>
            {words.newTokenButton}
          </button>
        </form>
      )}
    </Dialog>
  );
}
