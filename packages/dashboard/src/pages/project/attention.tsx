import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { adviceQuery } from '../../api/advice.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import { AdviceRows } from '../advice/advice-rows.tsx';

const { home: words } = texts;
const mostShown = 4;

/** What somebody should look at. */
export function Attention({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: advice, error } = useQuery(adviceQuery(ref));
  return (
    <Section title={words.attention}>
      {error && <Problem error={error} />}
      {advice?.length === 0 && <p>{words.nothing}</p>}
      {advice && advice.length > 0 && <AdviceRows projectRef={ref} advice={advice.slice(0, mostShown)} />}
      <Link to="/p/$ref/advice" params={{ ref }}>
        {words.allAdvice}
      </Link>
    </Section>
  );
}
