import type { FileRecord } from '@plinth/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fileQuery, useDeleteFile, useSignFile } from '../../api/files.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/field.tsx';
import { bytes } from '../../kit/figures.ts';
import { Form } from '../../kit/form.tsx';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import css from './files-page.module.css';
import { isPicture, pictureIn } from './picture.ts';

const { files: words } = texts;

interface FileDialogProps {
  readonly projectRef: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** One file: how it looks, what is known of it, how others get it. */
export function FileDialog({ projectRef, id, onClose }: FileDialogProps) {
  const { data: file, error } = useQuery(fileQuery(projectRef, id));
  return (
    <Dialog title={file?.name ?? words.file} onClose={onClose}>
      {error && <Problem error={error} />}
      {!file && !error && <Wait lines={5} />}
      {file && (
        <>
          {file.url !== null && isPicture(file) && (
            <img className={css.picture} alt={file.name} src={pictureIn(file.url, { w: 880 })} />
          )}
          <Facts projectRef={projectRef} file={file} />
          {file.url === null ? <SignedLink projectRef={projectRef} id={id} /> : <Lasting url={file.url} />}
          <DeleteFile projectRef={projectRef} file={file} onDone={onClose} />
        </>
      )}
    </Dialog>
  );
}

function Facts({ projectRef: ref, file }: { readonly projectRef: string; readonly file: FileRecord }) {
  const { size, contentType, width, height, path, uploadedBy, heldBy, createdAt, id } = file;
  const pixels = width !== undefined && height !== undefined ? `, ${width} × ${height}` : '';
  return (
    <dl className={css.facts}>
      <dt>{words.size}</dt>
      <dd>{`${bytes(size)}${pixels}`}</dd>
      <dt>{words.type}</dt>
      <dd>{contentType}</dd>
      <dt>{words.folder}</dt>
      <dd>{path === '' ? words.top : path}</dd>
      <dt>{words.uploaded}</dt>
      <dd>
        <time dateTime={createdAt}>{when(createdAt)}</time>,{' '}
        {uploadedBy === undefined ? (
          words.byServer
        ) : (
          <>
            {words.byUser}{' '}
            <Link to="/p/$ref/users/$id" params={{ ref, id: uploadedBy }}>
              {words.user}
            </Link>
          </>
        )}
      </dd>
      {heldBy !== undefined && (
        <>
          <dt>{words.heldBy}</dt>
          <dd>
            <code>{heldBy}</code>
          </dd>
        </>
      )}
      <dt>{words.id}</dt>
      <dd>
        <code>{id}</code>
      </dd>
    </dl>
  );
}

function Lasting({ url }: { readonly url: string }) {
  return (
    <div className={css.link}>
      <p>{words.publicText}</p>
      <Copyable label={words.link} text={url} />
      <p className={css.links}>
        <a href={url} target="_blank" rel="noreferrer">
          {words.open}
        </a>
        <a href={`${url}?download`}>{words.download}</a>
      </p>
    </div>
  );
}

const lifetimes = {
  '600': words.minutes10,
  '3600': words.hour,
  '86400': words.day,
  '604800': words.week,
} as const;

function SignedLink({ projectRef, id }: { readonly projectRef: string; readonly id: string }) {
  const sign = useSignFile(projectRef, id);
  const [seconds, setSeconds] = useState<keyof typeof lifetimes>('3600');
  return (
    <Form
      button={words.makeLink}
      isPending={sign.isPending}
      error={sign.error}
      onSend={() => sign.mutate(Number(seconds))}
    >
      <p>{words.privateText}</p>
      <SelectField
        label={words.goodFor}
        words={lifetimes}
        value={seconds}
        onChange={(lifetime) => {
          setSeconds(lifetime);
          sign.reset();
        }}
      />
      {sign.data !== undefined && <Copyable label={words.link} text={sign.data} />}
    </Form>
  );
}

interface DeleteFileProps {
  readonly projectRef: string;
  readonly file: FileRecord;
  readonly onDone: () => void;
}

function DeleteFile({ projectRef, file, onDone }: DeleteFileProps) {
  const remove = useDeleteFile(projectRef, file.id);
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const done = () => {
    onDone();
    say({ text: words.removed(file.name) });
  };
  return (
    <>
      <button type="button" className={css.delete} data-kind="danger" onClick={() => setAsking(true)}>
        {words.remove}
      </button>
      {isAsking && (
        <Confirm
          title={words.removeTitle}
          text={file.heldBy === undefined ? words.removeText : words.removeHeldText}
          button={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onSend={() => remove.mutate(undefined, { onSuccess: done })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
