import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Refusal } from '../../api/management.ts';
import { Choice } from '../../kit/choice.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Empty } from '../../kit/empty.tsx';
import { AreaField, Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Head } from '../../kit/head.tsx';
import { LiveState } from '../../kit/live-state.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { SuggestField } from '../../kit/suggest-field.tsx';
import { Switch } from '../../kit/switch.tsx';
import { Table } from '../../kit/table.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import css from './kit-page.module.css';

const { kit: words } = texts;
const refused = new Refusal(words.refused, { code: 'invalid_query', status: 400, requestId: 'req-example' });

/** Every part of the kit in every state: what somebody who changes one looks at. */
export function KitPage() {
  return (
    <>
      <Head title={words.title} lead={words.lead}>
        <button type="button">{words.plain}</button>
        <button type="button" data-kind="main">
          {words.main}
        </button>
      </Head>
      <Buttons />
      <Fields />
      <Lists />
      <States />
    </>
  );
}

function Buttons() {
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={words.buttons}>
      <Line>
        <button type="button">{words.plain}</button>
        <button type="button" data-kind="main">
          {words.main}
        </button>
        <button type="button" data-kind="bare">
          {words.bare}
        </button>
        <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
          {words.danger}
        </button>
        <button type="button" data-kind="main" disabled>
          {words.disabled}
        </button>
        <button
          type="button"
          onClick={() => say({ text: words.toast, undo: () => say({ text: words.undone }) })}
        >
          {words.showToast}
        </button>
      </Line>
      {isAsking && (
        <Confirm
          title={words.confirm}
          text={words.confirmText}
          name="posts"
          button={words.danger}
          isPending={false}
          error={null}
          onSend={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

function Fields() {
  const [typed, setTyped] = useState('');
  const [colour, setColour] = useState<keyof typeof words.colours>('stone');
  const [isOn, setOn] = useState(true);
  const onChange = ({ target }: { readonly target: { readonly value: string } }) => setTyped(target.value);
  return (
    <Section title={words.fields}>
      <Form button={words.main} error={refused} onSend={() => {}}>
        <Field label={words.field} hint={words.hint} value={typed} onChange={onChange} />
        <Field label={words.fieldWrong} mistake={words.mistake} value={typed} onChange={onChange} />
        <Field label={words.disabled} disabled value={typed} onChange={onChange} />
        <AreaField label={words.area} rows={3} value={typed} onChange={onChange} />
        <SuggestField
          label={words.suggest}
          hint={words.hint}
          listLabel={words.suggestions}
          value={typed}
          suggest={(text) =>
            Object.values(words.colours)
              .filter((name) => name.toLowerCase().startsWith(text.toLowerCase()) && name !== text)
              .map((name) => ({ text: name, label: name, hint: words.hint }))
          }
          onChange={setTyped}
        />
        <SelectField label={words.select} words={words.colours} value={colour} onChange={setColour} />
        <Choice label={words.choice} words={words.colours} value={colour} onChange={setColour} />
        <Switch label={words.switch} hint={words.hint} isOn={isOn} onChange={setOn} />
        <Switch label={words.disabled} isOn={false} isDisabled onChange={setOn} />
      </Form>
    </Section>
  );
}

function Lists() {
  return (
    <Section title={words.lists}>
      <Tabs label={words.tabs}>
        <Link to="/kit">{words.title}</Link>
        <Link to="/account">{texts.account.title}</Link>
      </Tabs>
      <Rows>
        <Row title={words.row} facts={words.facts}>
          <button type="button">{words.plain}</button>
        </Row>
      </Rows>
      <Table label={words.table} heads={[words.field, words.state]}>
        <tr>
          <td>{words.row}</td>
          <td>
            <Tag>{words.plain}</Tag> <Tag tone="good">{words.good}</Tag>{' '}
            <Tag tone="warning">{words.warning}</Tag> <Tag tone="bad">{words.bad}</Tag>
          </td>
        </tr>
      </Table>
      <Copyable text="curl http://localhost:8080" label={words.copyable} />
    </Section>
  );
}

function States() {
  return (
    <Section title={words.states}>
      <Empty title={words.empty} text={words.emptyText}>
        <button type="button">{words.plain}</button>
      </Empty>
      <Problem error={refused} onRetry={() => {}} />
      <Wait lines={2} />
      <Line>
        <LiveState state="live" text={words.live.live} />
        <LiveState state="away" text={words.live.away} />
        <LiveState state="refused" text={words.live.refused} />
        <LiveState state="paused" text={words.live.paused} />
      </Line>
      <LoadMore of={{ hasNextPage: true, isFetchingNextPage: false, fetchNextPage: async () => {} }} />
    </Section>
  );
}

function Line({ children }: { readonly children: ReactNode }) {
  return <div className={css.line}>{children}</div>;
}
