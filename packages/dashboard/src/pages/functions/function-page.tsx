import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { deploymentsQuery, type FunctionRecord } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { duration } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { withChanges } from '../../search-params.ts';
import { CodePart } from './code-part.tsx';
import { triggerWords } from './function-words.ts';
import { type OneSearch, oneParts } from './functions-search.ts';
import { RunList } from './run-list.tsx';
import { KindTag } from './run-tags.tsx';
import { TryIt } from './try-it.tsx';

const { oneFunction: words } = codeTexts;
const from = '/signed-in/p/$ref/functions/$function';

/** One function: what it did, and trying it. */
export function FunctionPage() {
  const { ref, function: name } = useParams({ from });
  const { part = 'runs', source, ...look } = useSearch({ from });
  const { data: deployments, error, refetch } = useQuery(deploymentsQuery(ref));
  const navigate = useNavigate();
  const active = deployments?.find(({ isActive }) => isActive);
  const one = active?.functions.find((known) => known.name === name);
  const at = { to: '/p/$ref/functions/$function', params: { ref, function: name } } as const;
  return (
    <Page>
      <Link to="/p/$ref/functions" params={{ ref }}>
        {words.back}
      </Link>
      <Head title={name} lead={one && factsOf(one)}>
        {one && <KindTag kind={one.kind} />}
      </Head>
      <Tabs label={name}>
        {oneParts.map((other) => (
          <Link
            key={other}
            {...at}
            search={other === 'runs' ? {} : { part: other }}
            data-status={other === part ? 'active' : undefined}
            activeOptions={{ exact: true }}
          >
            {words.parts[other]}
          </Link>
        ))}
      </Tabs>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {deployments && !one && <Empty title={words.gone} text={words.goneText} />}
      {part === 'runs' && (
        <RunList
          projectRef={ref}
          look={{ ...look, function: name }}
          onLook={(changes) =>
            void navigate({
              ...at,
              search: (now: object) => withChanges<OneSearch>(now, changes),
              replace: true,
            })
          }
        />
      )}
      {part === 'code' && one && active && (
        <CodePart
          projectRef={ref}
          version={active.version}
          one={one}
          source={source}
          onSource={(next) => void navigate({ ...at, search: { part, source: next }, replace: true })}
        />
      )}
      {part === 'try' && one && <TryIt key={name} projectRef={ref} one={one} />}
    </Page>
  );
}

const factsOf = (one: FunctionRecord): string =>
  [
    capital(triggerWords(one)),
    ...(one.options.timeoutSeconds === undefined ? [] : [words.atMost(one.options.timeoutSeconds)]),
    words.loads(duration(one.loadMs)),
  ].join(', ');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
