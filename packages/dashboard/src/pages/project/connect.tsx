import { useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '../../api/collections.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import css from './home-page.module.css';

const { home: words } = texts;

interface ConnectProps {
  readonly projectRef: string;
  readonly url: string;
}

/** How programs come to the project: in code, and in a terminal. */
export function Connect({ projectRef: ref, url }: ConnectProps) {
  const { data: collections } = useQuery(collectionsQuery(ref));
  const collection = collections?.[0]?.name ?? 'posts';
  const code = [
    `import { createClient } from '@plinth/client';`,
    '',
    `const plinth = createClient({ url: '${url}' });`,
    `const { items } = await plinth.collection('${collection}').page({ limit: 20 });`,
  ].join('\n');
  return (
    <Section title={words.connect} lead={words.connectText}>
      <h3 className={css.label}>{words.install}</h3>
      <Copyable text="npm install @plinth/client" label={words.install} />
      <h3 className={css.label}>{words.code}</h3>
      <div className={css.code}>
        <Copyable text={code} label={words.code} />
      </div>
      <h3 className={css.label}>{words.terminal}</h3>
      <Copyable text={`plinth login ${location.origin}`} label={words.terminal} />
      <Copyable text={`plinth types --url ${url} --out project.ts`} label={words.types} />
    </Section>
  );
}
