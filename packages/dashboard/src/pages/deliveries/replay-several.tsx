import { useState } from 'react';
import { type ReplayWish, useReplay } from '../../api/deliveries.ts';
import { codeTexts } from '../../code-texts.ts';
import { Choice } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';

const { deliveries: words } = codeTexts;

/** Asks which events are sent again: the dead ones, or those of a time. */
export function ReplaySeveral({ lane }: { readonly lane: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.several}
      </button>
      {isOpen && <ReplayDialog lane={lane} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ReplayDialogProps {
  readonly lane: string;
  readonly onClose: () => void;
}

function ReplayDialog({ lane, onClose }: ReplayDialogProps) {
  const replay = useReplay(lane);
  const say = useToast();
  const [which, setWhich] = useState<keyof typeof words.whichOnes>('dead');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const send = () =>
    replay.mutate(wishOf(which, since, until), {
      onSuccess: ({ replayed }) => {
        say({ text: words.sent(replayed) });
        onClose();
      },
    });
  return (
    <Dialog title={words.several} onClose={onClose}>
      <Form button={words.again} isPending={replay.isPending} error={replay.error} onSend={send}>
        <p>{words.severalText}</p>
        <Choice label={words.which} words={words.whichOnes} value={which} onChange={setWhich} />
        {which !== 'dead' && (
          <Field
            label={words.since}
            hint={words.sinceText}
            type="datetime-local"
            required
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        )}
        {which === 'range' && (
          <Field
            label={words.until}
            type="datetime-local"
            required
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** Times are typed in the zone of whoever types them. */
function wishOf(which: keyof typeof words.whichOnes, since: string, until: string): ReplayWish {
  if (which === 'dead') return { dead: true };
  const from = { since: new Date(since).toISOString() };
  return which === 'since' ? from : { ...from, until: new Date(until).toISOString() };
}
