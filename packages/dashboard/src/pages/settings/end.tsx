import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { projectsQuery } from '../../api/projects.ts';
import { useDeleteProject, useTransfer } from '../../api/settings.ts';
import { type Member, teamQuery } from '../../api/team.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import css from './settings.module.css';

const { settings: words } = texts;

export function End() {
  return (
    <>
      <Transfer />
      <Delete />
    </>
  );
}

function Transfer() {
  const { ref, role } = useProject();
  const { data: team, error } = useQuery(teamQuery(ref));
  const mates = team?.filter((member) => member.role === 'teammate') ?? [];
  return (
    <Section title={words.transfer} lead={role === 'owner' ? words.transferText : words.ownerTransfers}>
      {error && <Problem error={error} />}
      {role === 'owner' && team && mates.length === 0 && (
        <p>
          {words.noMates}{' '}
          <Link to="/p/$ref/team" params={{ ref }}>
            {texts.team.title}
          </Link>
        </p>
      )}
      {role === 'owner' && mates.length > 0 && <TransferForm mates={mates} />}
    </Section>
  );
}

function TransferForm({ mates }: { readonly mates: readonly Member[] }) {
  const { ref, name } = useProject();
  const transfer = useTransfer(ref);
  const say = useToast();
  const [to, setTo] = useState(mates[0]?.id ?? '');
  const [isAsking, setAsking] = useState(false);
  const email = mates.find(({ id }) => id === to)?.email ?? '';
  const { isSuccess } = transfer;
  useEffect(() => {
    if (isSuccess) say({ text: words.transferred(email) });
  }, [isSuccess, say, email]);
  return (
    <>
      <div className={css.line}>
        <SelectField
          label={words.newOwner}
          words={Object.fromEntries(mates.map((mate) => [mate.id, mate.email]))}
          value={to}
          onChange={setTo}
        />
        <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
          {words.transfer}
        </button>
      </div>
      {isAsking && !isSuccess && (
        <Confirm
          title={words.transfer}
          text={words.transferSure(email)}
          name={name}
          button={words.transfer}
          isPending={transfer.isPending}
          error={refusalOf(transfer)}
          onSend={() => transfer.mutate(to)}
          onClose={() => setAsking(false)}
        />
      )}
      <AsksAgain change={transfer} />
    </>
  );
}

function Delete() {
  const { ref, name, role } = useProject();
  const remove = useDeleteProject(ref);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const { isSuccess } = remove;
  useEffect(() => {
    if (!isSuccess) return;
    // The page of a project that is gone cannot be asked for again: away from it first.
    void navigate({ to: '/' }).then(() => {
      queries.removeQueries({ queryKey: ['projects', ref] });
      say({ text: words.deleted });
      return queries.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    });
  }, [isSuccess, navigate, queries, ref, say]);
  return (
    <Section title={words.delete} lead={role === 'owner' ? words.deleteText : words.ownerDeletes}>
      <button type="button" data-kind="danger" disabled={role !== 'owner'} onClick={() => setAsking(true)}>
        {words.delete}
      </button>
      {isAsking && !isSuccess && (
        <Confirm
          title={words.delete}
          text={words.deleteSure}
          name={name}
          button={words.delete}
          isPending={remove.isPending}
          error={refusalOf(remove)}
          onSend={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
      <AsksAgain change={remove} />
    </Section>
  );
}
