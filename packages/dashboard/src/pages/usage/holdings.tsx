import { useQuery } from '@tanstack/react-query';
import { heldDaysQuery, holdingsQuery } from '../../api/usage.ts';
import { bytes, shortCount } from '../../kit/figures.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { type PastValue, pastOf, Trend } from './trend.tsx';
import css from './usage-page.module.css';

const { usage: words } = texts;
const names = Object.keys(words.holdings) as (keyof typeof words.holdings)[];

/** What the project holds, against what its tier allows. */
export function Holdings({ projectRef: ref }: { readonly projectRef: string }) {
  const { data, error, isPending } = useQuery(holdingsQuery(ref));
  const { data: days = [] } = useQuery(heldDaysQuery(ref));
  return (
    <Section title={words.held} lead={words.heldText}>
      {error && <Problem error={error} />}
      {isPending && <Wait lines={4} />}
      <ul className={css.holdings}>
        {names.map((name) => {
          const use = data?.[name];
          if (!use) return null;
          return (
            <Holding
              key={name}
              name={words.holdings[name]}
              isBytes={/bytes/i.test(name)}
              past={pastOf(days, name)}
              {...use}
            />
          );
        })}
      </ul>
    </Section>
  );
}

interface HoldingProps {
  readonly name: string;
  readonly isBytes: boolean;
  readonly past: readonly PastValue[];
  readonly used: number;
  readonly limit: number | null;
}

/** From here on somebody should look. */
const muchOf = 0.8;

function Holding({ name, isBytes, past, used, limit }: HoldingProps) {
  const format = isBytes ? bytes : shortCount;
  const isMuch = limit !== null && used >= muchOf * limit;
  return (
    <li className={css.holding} data-much={isMuch || undefined}>
      <span className={css.name}>{name}</span>
      <span className={css.used}>{format(used)}</span>
      <span className={css.limit}>{limit === null ? words.noLimit : words.ofLimit(format(limit))}</span>
      <Trend past={past} used={used} format={format} />
      {limit !== null && <meter aria-label={name} min={0} max={limit} value={used} />}
    </li>
  );
}
