import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { adviceQuery } from '../../api/advice.ts';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { AdviceRows } from './advice-rows.tsx';
import { IndexAdvice } from './index-advice.tsx';

const { advice: words } = texts;

/** What to look at: for safety, and for speed. */
export function AdvicePage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/advice' });
  const { data, error, isPending } = useQuery(adviceQuery(ref));
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <Section title={words.safety}>
        {error && <Problem error={error} />}
        {isPending && <Wait />}
        {data?.length === 0 && <p>{words.allSafe}</p>}
        {data && data.length > 0 && <AdviceRows projectRef={ref} advice={data} />}
      </Section>
      <IndexAdvice projectRef={ref} />
    </Page>
  );
}
