import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  knowsPasskeys,
  type Passkey,
  passkeysQuery,
  useAddPasskey,
  useDeletePasskey,
  useRenamePasskey,
} from '../../api/passkeys.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import css from './account-page.module.css';

const { account: words } = texts;

export function Passkeys() {
  const { data: passkeys, error } = useQuery(passkeysQuery);
  const add = useAddPasskey();
  const [isAdding, setAdding] = useState(false);
  const close = () => {
    setAdding(false);
    add.reset();
  };
  return (
    <Section title={words.passkeys} lead={words.passkeysText}>
      {error && <Problem error={error} />}
      {passkeys?.length === 0 && <p>{words.noPasskeys}</p>}
      {passkeys && passkeys.length > 0 && (
        <Rows>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </Rows>
      )}
      <button type="button" disabled={!knowsPasskeys()} onClick={() => setAdding(true)}>
        {words.addPasskey}
      </button>
      {!knowsPasskeys() && <p>{words.noPasskeysHere}</p>}
      {isAdding && !add.isSuccess && (
        <NameDialog
          title={words.addPasskey}
          label={words.passkeyName}
          hint={words.passkeyNameHint}
          button={words.addPasskey}
          isPending={add.isPending}
          error={refusalOf(add)}
          onSend={(name) => add.mutate(name, { onSuccess: close })}
          onClose={close}
        />
      )}
      <AsksAgain change={add} />
    </Section>
  );
}

function factsOf({ lastUsedAt, backedUp }: Passkey): string {
  const used = lastUsedAt === null ? words.passkeyNeverUsed : words.passkeyUsed(when(lastUsedAt));
  return backedUp ? `${used}, ${words.passkeySynced}` : used;
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const { id, name } = passkey;
  const rename = useRenamePasskey();
  const remove = useDeletePasskey();
  const [asked, setAsked] = useState<'rename' | 'remove'>();
  const close = () => setAsked(undefined);
  return (
    <Row title={name} facts={factsOf(passkey)}>
      <div className={css.line}>
        <button type="button" aria-label={words.renameOne(name)} onClick={() => setAsked('rename')}>
          {words.rename}
        </button>
        <button
          type="button"
          data-kind="danger"
          aria-label={words.removePasskeyOne(name)}
          onClick={() => setAsked('remove')}
        >
          {words.removePasskey}
        </button>
      </div>
      {asked === 'rename' && (
        <NameDialog
          title={words.renameOne(name)}
          label={words.passkeyName}
          hint={words.passkeyNameHint}
          button={words.rename}
          isPending={rename.isPending}
          error={rename.error}
          onSend={(next) => rename.mutate({ id, name: next }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked === 'remove' && (
        <Confirm
          title={words.removePasskeyOne(name)}
          text={words.removePasskeyText}
          button={words.removePasskey}
          isPending={remove.isPending}
          error={remove.error}
          onSend={() => remove.mutate(id)}
          onClose={close}
        />
      )}
    </Row>
  );
}
