import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectQuery } from '../../api/projects.ts';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';

const { signInSettings: words } = texts;

/** Whose pages may call the project. They are changed in one place: the settings. */
export function Origins({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const { allowedOrigins = [] } = project;
  return (
    <Section title={words.origins} lead={words.originsText}>
      {allowedOrigins.length === 0 ? (
        <p>{texts.settings.noOrigins}</p>
      ) : (
        <Rows>
          {allowedOrigins.map((origin) => (
            <Row key={origin} title={<code>{origin}</code>} facts="" />
          ))}
        </Rows>
      )}
      <Link to="/p/$ref/settings" params={{ ref }} search={{ part: 'access' }}>
        {words.changeOrigins}
      </Link>
    </Section>
  );
}
