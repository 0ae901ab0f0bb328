import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { deploymentsQuery } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Wait } from '../../kit/wait.tsx';
import { withChanges } from '../../search-params.ts';
import { FunctionList } from './function-list.tsx';
import { type FunctionsSearch, functionsParts } from './functions-search.ts';
import { RunList } from './run-list.tsx';
import { Versions } from './versions.tsx';

const { functions: words } = codeTexts;
const from = '/signed-in/p/$ref/functions';

/** The code of the project: what runs, what it did, and what ran before. */
export function FunctionsPage() {
  const { ref } = useParams({ from });
  const { part = 'list', ...look } = useSearch({ from });
  const { data: deployments, error, refetch } = useQuery(deploymentsQuery(ref));
  const navigate = useNavigate();
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        <Link to="/p/$ref/env" params={{ ref }}>
          {words.variables}
        </Link>
        <Link to="/p/$ref/functions/-new" params={{ ref }} data-kind="main">
          {words.write}
        </Link>
      </Head>
      <Tabs label={words.title}>
        {functionsParts.map((one) => (
          <Link
            key={one}
            to="/p/$ref/functions"
            params={{ ref }}
            search={one === 'list' ? {} : { part: one }}
            data-status={one === part ? 'active' : undefined}
            activeOptions={{ exact: true }}
          >
            {words.parts[one]}
          </Link>
        ))}
      </Tabs>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!deployments && !error && <Wait lines={5} />}
      {deployments && part === 'list' && <FunctionList projectRef={ref} deployments={deployments} />}
      {deployments && part === 'versions' && <Versions projectRef={ref} deployments={deployments} />}
      {part === 'runs' && (
        <RunList
          projectRef={ref}
          look={look}
          functions={namesIn(deployments)}
          onLook={(changes) =>
            void navigate({
              to: '/p/$ref/functions',
              params: { ref },
              search: (now: object) => withChanges<FunctionsSearch>(now, changes),
              replace: true,
            })
          }
        />
      )}
    </Page>
  );
}

/** Those of the version that runs. */
function namesIn(deployments: readonly { isActive: boolean; functions: readonly { name: string }[] }[] = []) {
  const active = deployments.find(({ isActive }) => isActive);
  return active?.functions.map(({ name }) => name) ?? [];
}
