import { type ErrorCode, errorCatalogue } from '@plinth/protocol';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { type RequestRecord, requestQuery } from '../../api/requests.ts';
import { teamQuery } from '../../api/team.ts';
import { Page } from '../../frame/page.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { bytes, duration, moment } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { callOf, StatusTag } from './request-table.tsx';
import css from './requests-page.module.css';
import { curlOf, meantBy, ruleTesterHref } from './retell.ts';

const { requests: words } = texts;

/** One call, whole. */
export function RequestPage() {
  const { ref, request: id } = useParams({ from: '/signed-in/p/$ref/requests/$request' });
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const { data: request, error, isPending } = useQuery(requestQuery(ref, id));
  return (
    <Page>
      <Link to="/p/$ref/requests" params={{ ref }} search={true}>
        {words.back}
      </Link>
      <Head title={request ? callOf(request) : words.one} />
      {error && <Problem error={error} />}
      {isPending && <Wait lines={8} />}
      {request && (
        <>
          <Facts request={request} projectRef={ref} />
          <Refused request={request} projectRef={ref} />
          <Again request={request} url={project.url ?? `${location.origin}/p/${ref}`} />
        </>
      )}
    </Page>
  );
}

interface AboutRequest {
  readonly request: RequestRecord;
  readonly projectRef: string;
}

function Facts({ request, projectRef: ref }: AboutRequest) {
  const { status, code, message, at, route, ms, bytesIn, bytesOut, address, id, givenId, weight } = request;
  return (
    <dl className={css.facts}>
      <Fact name={words.status}>
        <StatusTag status={status} /> {code}
      </Fact>
      {message !== null && <Fact name={words.message}>{message}</Fact>}
      {code !== null && message === null && <Fact name={words.meaning}>{meaningOf(code)}</Fact>}
      <Fact name={words.at}>
        {moment(at)} <span className={css.code}>{at}</span>
      </Fact>
      <Fact name={words.who}>
        <Who request={request} projectRef={ref} />
      </Fact>
      <Fact name={words.route}>
        <code>{route}</code>
      </Fact>
      <Fact name={words.took}>{duration(ms)}</Fact>
      <Fact name={words.sent}>{bytes(bytesIn)}</Fact>
      <Fact name={words.responseSize}>{bytes(bytesOut)}</Fact>
      {address !== null && <Fact name={words.network}>{address}</Fact>}
      <Fact name={words.id}>
        <code>{id}</code>
      </Fact>
      {givenId !== null && (
        <Fact name={words.givenId}>
          <code>{givenId}</code>
        </Fact>
      )}
      {weight > 1 && <Fact name={words.weight}>{words.standsFor(weight)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

/** Lines of an older log have the code alone; what it means stands in the catalogue of errors. */
const meaningOf = (code: string): string =>
  isKnown(code) ? errorCatalogue[code].when.replaceAll('`', '') : words.unknownCode;

function Who({ request: { credential, userId, accountId }, projectRef: ref }: AboutRequest) {
  if (userId === null)
    return credential === 'account' ? (
      <Member projectRef={ref} accountId={accountId} />
    ) : (
      words.credentials[credential]
    );
  return (
    <>
      {words.credentials.user}{' '}
      <a href={`/dashboard/p/${ref}/users/${userId}`}>
        <code>{userId}</code>
      </a>{' '}
      <Link to="/p/$ref/requests" params={{ ref }} search={{ user: userId }}>
        {words.callsOfUser}
      </Link>
    </>
  );
}

interface MemberProps {
  readonly projectRef: string;
  readonly accountId: string | null;
}

/** Which member of the team was at the dashboard. */
function Member({ projectRef: ref, accountId }: MemberProps) {
  const { data: team } = useQuery(teamQuery(ref));
  const email = team?.find(({ id }) => id === accountId)?.email;
  return email === undefined ? words.credentials.account : words.byMember(email);
}

/** What can be looked at next. */
function Refused({ request, projectRef: ref }: AboutRequest) {
  const meant = meantBy(request);
  // What is not there cannot be opened.
  if (!meant || request.status === 404) return null;
  const { collection, doc } = meant;
  return (
    <p className={css.links}>
      {request.status === 403 && <a href={ruleTesterHref(ref, meant, request.userId)}>{words.whyRefused}</a>}
      <Link to="/p/$ref/data/$collection" params={{ ref, collection }} search={doc ? { doc } : {}}>
        {doc ? words.openDocument : words.openCollection(collection)}
      </Link>
    </p>
  );
}

function Again({ request, url }: { readonly request: RequestRecord; readonly url: string }) {
  const curl = curlOf(request, url);
  return (
    <Section title={words.again} lead={curl === undefined ? words.noCurl : words.againText}>
      {curl !== undefined && <Copyable text={curl} label={words.again} />}
    </Section>
  );
}
