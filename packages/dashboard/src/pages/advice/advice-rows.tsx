import { Link } from '@tanstack/react-router';
import type { Advice } from '../../api/advice.ts';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';

const { advice: words } = texts;

interface AdviceRowsProps {
  readonly projectRef: string;
  readonly advice: readonly Advice[];
}

/** Warnings first. */
export function AdviceRows({ projectRef: ref, advice }: AdviceRowsProps) {
  const sorted = advice.toSorted(
    (a, b) => Number(b.severity === 'warning') - Number(a.severity === 'warning'),
  );
  return (
    <Rows>
      {sorted.map(({ code, severity, target, message }) => (
        <Row
          key={`${code} ${target}`}
          title={
            <>
              <Tag tone={severity === 'warning' ? 'warning' : 'plain'}>{words.severities[severity]}</Tag>{' '}
              {message}
            </>
          }
          facts=""
        >
          <Remedy projectRef={ref} code={code} target={target} />
        </Row>
      ))}
    </Rows>
  );
}

interface RemedyProps {
  readonly projectRef: string;
  readonly code: string;
  readonly target: string;
}

/** Where something can be done about it. */
function Remedy({ projectRef: ref, code, target }: RemedyProps) {
  if (code === 'owner_without_second_factor') return <Link to="/account">{words.openAccount}</Link>;
  if (code === 'messages_not_sent')
    return (
      <Link to="/p/$ref/messages" params={{ ref }} search={{ part: 'outbox' }}>
        {words.openOutbox}
      </Link>
    );
  if (code === 'nobody_reads' || code === 'personal_fields_public' || code.startsWith('rule_'))
    return <a href={rulesHref(ref, target)}>{words.openRules(target)}</a>;
  if (code.startsWith('key_')) return <a href={`/dashboard/p/${ref}/keys`}>{words.openKeys}</a>;
  return <a href={`/dashboard/p/${ref}/settings`}>{words.openSettings}</a>;
}

const rulesHref = (ref: string, collection: string) =>
  `/dashboard/p/${ref}/data/${encodeURIComponent(collection)}/rules`;
