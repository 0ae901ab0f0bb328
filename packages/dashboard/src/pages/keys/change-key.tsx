import { useEffect } from 'react';
import { type Key, useChangeKey } from '../../api/keys.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { KeyForm } from './key-form.tsx';

const { keys: words } = texts;

interface ChangeKeyDialogProps {
  readonly projectRef: string;
  readonly of: Key;
  readonly onClose: () => void;
}

/** Changes what a key may do; the key itself stays the same. */
export function ChangeKeyDialog({ projectRef, of: key, onClose }: ChangeKeyDialogProps) {
  const change = useChangeKey(projectRef, key.id);
  const say = useToast();
  const { isSuccess } = change;
  // Also after a sign-in that was asked for.
  useEffect(() => {
    if (!isSuccess) return;
    say({ text: words.changed });
    onClose();
  }, [isSuccess, say, onClose]);
  return (
    <>
      <Dialog title={words.changeOne(key.name)} onClose={onClose}>
        <p>{words.changeText}</p>
        <KeyForm
          button={words.save}
          now={key}
          expiries={{ same: words.sameExpiry, ...words.expiries }}
          expiry="same"
          isPending={change.isPending}
          error={refusalOf(change)}
          onSend={(wish, expiry) => {
            const days = expiry === 'never' ? null : Number(expiry);
            change.mutate({ ...wish, ...(expiry !== 'same' && { expires_in_days: days }) });
          }}
        />
      </Dialog>
      <AsksAgain change={change} />
    </>
  );
}
