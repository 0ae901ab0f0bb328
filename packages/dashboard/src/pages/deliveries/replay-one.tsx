import { type Delivery, useReplay } from '../../api/deliveries.ts';
import { codeTexts } from '../../code-texts.ts';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';

const { deliveries: words } = codeTexts;

interface ReplayOneProps {
  readonly lane: string;
  readonly delivery: Pick<Delivery, 'id' | 'type' | 'status'>;
}

/** Sends one event again; one that waits is tried now. */
export function ReplayOne({ lane, delivery: { id, type, status } }: ReplayOneProps) {
  const replay = useReplay(lane);
  const say = useToast();
  const isWaiting = status === 'waiting';
  const name = (isWaiting ? words.hurryOne : words.againOne)(type, id.slice(-8));
  return (
    <>
      {replay.error && <Problem error={replay.error} />}
      <button
        type="button"
        aria-label={name}
        disabled={replay.isPending}
        onClick={() =>
          replay.mutate(
            { delivery: id },
            { onSuccess: ({ replayed }) => say({ text: words.sent(replayed) }) },
          )
        }
      >
        {isWaiting ? words.hurry : words.again}
      </button>
    </>
  );
}
