import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { type MessageText, previewQuery, type Template, useSaveTemplate } from '../../api/messages.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { AreaField, Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Switch } from '../../kit/switch.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import css from './messages.module.css';
import { Preview, type PreviewForm } from './preview.tsx';
import { SendTest } from './send-test.tsx';

const { messages: words } = texts;
const typingMs = 300;

interface TemplateEditorProps {
  readonly projectRef: string;
  readonly template: Template;
  readonly as: PreviewForm;
}

export function TemplateEditor({ projectRef: ref, template, as }: TemplateEditorProps) {
  const { name, language, is_own: isOwn } = template;
  const which = { ref, name, language };
  const formId = useId();
  const stored = textOf(template);
  const [draft, setDraft] = useState<MessageText>();
  const text = draft ?? stored;
  const preview = useQuery(previewQuery(which, useSettled(text)));
  const save = useSaveTemplate(which);
  const say = useToast();
  const navigate = useNavigate();
  const saved = (said: string) => () => {
    setDraft((now) => (now === draft ? undefined : now));
    say({ text: said });
  };
  const show = (form: PreviewForm) =>
    void navigate({
      to: '/p/$ref/messages/$template',
      params: { ref, template: name },
      search: { ...(language !== 'en' && { language }), ...(form !== 'desktop' && { as: form }) },
      replace: true,
    });
  return (
    <div className={css.sides}>
      <div className={css.editor}>
        <form
          id={formId}
          className={css.editor}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(text, { onSuccess: saved(words.saved) });
          }}
        >
          <Words name={name} text={text} onChange={setDraft} />
        </form>
        <Variables variables={template.variables} />
        {save.error && <Problem error={save.error} />}
        {/* Beside the form: what is sent in a dialog must not save the text. */}
        <div className={css.buttons}>
          <button
            form={formId}
            data-kind="main"
            disabled={draft === undefined || save.isPending || preview.isError}
          >
            {words.save}
          </button>
          <SendTest which={which} isText={name === 'sms-code'} isSaved={draft === undefined} />
          {isOwn && (
            <Restore onRestore={() => save.mutate(undefined, { onSuccess: saved(words.restored) })} />
          )}
        </div>
      </div>
      <Preview
        rendered={preview.data}
        error={preview.error}
        form={name === 'sms-code' ? 'text' : as}
        onForm={name === 'sms-code' ? undefined : show}
      />
    </div>
  );
}

const textOf = ({ subject, body, html }: Template): MessageText => ({
  subject,
  body,
  ...(html !== undefined && { html }),
});

/** A text as it was when nothing was typed for a moment. */
function useSettled(text: MessageText): MessageText {
  const [settled, setSettled] = useState(text);
  const latest = JSON.stringify(text);
  const first = useRef(latest);
  useEffect(() => {
    if (latest === first.current) return;
    const timer = setTimeout(() => {
      first.current = latest;
      setSettled(JSON.parse(latest) as MessageText);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [latest]);
  return settled;
}

interface WordsProps {
  readonly name: string;
  readonly text: MessageText;
  readonly onChange: (text: MessageText) => void;
}

function Words({ name, text, onChange }: WordsProps) {
  const { html, ...plain } = text;
  const body = (
    <AreaField
      label={html === undefined ? words.body : words.bodyBeside}
      hint={name === 'sms-code' ? words.smsHint : words.bodyHint}
      required
      rows={name === 'sms-code' ? 4 : 12}
      spellCheck
      value={text.body}
      onChange={(event) => onChange({ ...text, body: event.target.value })}
    />
  );
  if (name === 'sms-code') return body;
  return (
    <>
      <Field
        label={words.subject}
        required
        maxLength={200}
        value={text.subject}
        onChange={(event) => onChange({ ...text, subject: event.target.value })}
      />
      {body}
      <Switch
        label={words.ownHtml}
        hint={words.ownHtmlHint}
        isOn={html !== undefined}
        onChange={(isOn) => onChange(isOn ? { ...plain, html: words.htmlStart } : plain)}
      />
      {html !== undefined && (
        <AreaField
          label={words.html}
          rows={14}
          value={html}
          onChange={(event) => onChange({ ...text, html: event.target.value })}
        />
      )}
    </>
  );
}

function Variables({ variables }: { readonly variables: readonly string[] }) {
  return (
    <div className={css.variables}>
      <p>{words.variables}</p>
      <ul aria-label={words.variables}>
        {variables.map((variable) => (
          <li key={variable}>
            <code>{`{{${variable}}}`}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Restore({ onRestore }: { readonly onRestore: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {words.restore}
      </button>
      {isAsking && (
        <Confirm
          title={words.restore}
          text={words.restoreText}
          button={words.restore}
          isPending={false}
          error={null}
          onSend={() => {
            setAsking(false);
            onRestore();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
