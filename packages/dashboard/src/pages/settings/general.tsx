import { useState } from 'react';
import { useRenameProject, useReplaceApiKey } from '../../api/settings.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { settings: words } = texts;

export function General() {
  const { ref, url = `${location.origin}/p/${ref}` } = useProject();
  return (
    <>
      <Name />
      <Section title={words.address} lead={words.addressText}>
        <Copyable text={url} label={words.address} />
      </Section>
      <ApiKey />
      <Section title={words.asCode} lead={words.asCodeText}>
        <Copyable text={`plinth pull --url ${url}`} label={words.pull} />
        <Copyable text={`plinth push --url ${url}`} label={words.push} />
      </Section>
    </>
  );
}

function Name() {
  const { ref, name: known, role } = useProject();
  const rename = useRenameProject(ref);
  const say = useToast();
  const [name, setName] = useState(known);
  const isOwner = role === 'owner';
  const save = (next: string) => {
    setName(next);
    rename.mutate(next, {
      onSuccess: () => say({ text: words.renamed, ...(next !== known && { undo: () => save(known) }) }),
    });
  };
  return (
    <Section title={words.project}>
      <Form
        button={words.save}
        isPending={rename.isPending}
        isDisabled={!isOwner || name === known || name.trim() === ''}
        error={refusalOf(rename)}
        onSend={() => save(name)}
      >
        <Field
          label={words.name}
          hint={isOwner ? words.nameHint : words.ownerRenames}
          required
          maxLength={100}
          disabled={!isOwner}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Form>
      <AsksAgain change={rename} />
    </Section>
  );
}

function ApiKey() {
  const { ref, name, role } = useProject();
  const replace = useReplaceApiKey(ref);
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    replace.reset();
  };
  return (
    <Section title={words.apiKey} lead={words.apiKeyText}>
      <button type="button" data-kind="danger" disabled={role !== 'owner'} onClick={() => setAsking(true)}>
        {words.replace}
      </button>
      {role !== 'owner' && <p>{words.ownerReplaces}</p>}
      {isAsking && !replace.data && (
        <Confirm
          title={words.replace}
          text={words.replaceText}
          name={name}
          button={words.replace}
          isPending={replace.isPending}
          error={refusalOf(replace)}
          onSend={() => replace.mutate()}
          onClose={close}
        />
      )}
      {replace.data && (
        <Dialog title={words.newKey} onClose={close}>
          <p>{texts.projects.keyText}</p>
          <Copyable text={replace.data.apiKey} label={words.newKey} />
        </Dialog>
      )}
      <AsksAgain change={replace} />
    </Section>
  );
}
