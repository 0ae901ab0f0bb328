import { useMakeKey } from '../../api/keys.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { texts } from '../../texts.ts';
import { KeyForm } from './key-form.tsx';

const { keys: words } = texts;

interface NewKeyDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

/** Asks what a key is for, then shows it, which nobody sees again. */
export function NewKeyDialog({ projectRef, onClose }: NewKeyDialogProps) {
  const make = useMakeKey(projectRef);
  if (make.data)
    return (
      <Dialog title={words.made} onClose={onClose}>
        <p>{words.madeText}</p>
        <Copyable text={make.data.apiKey} label={words.made} />
      </Dialog>
    );
  return (
    <>
      <Dialog title={words.make} onClose={onClose}>
        <KeyForm
          button={words.makeButton}
          expiries={words.expiries}
          expiry="90"
          isPending={make.isPending}
          error={refusalOf(make)}
          onSend={(wish, expiry) =>
            make.mutate({ ...wish, expires_in_days: expiry === 'never' ? null : Number(expiry) })
          }
        />
      </Dialog>
      <AsksAgain change={make} />
    </>
  );
}
