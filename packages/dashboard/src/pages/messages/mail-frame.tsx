import { useEffect, useRef } from 'react';
import { texts } from '../../texts.ts';
import { fillFrame } from './fill-frame.ts';
import css from './messages.module.css';

/**
 * A mail as a mail program shows it, in a window of its own so that its widths and colours are its own. No script runs in
 * it. The page's policy takes no HTML as a text, nor styles in HTML: the mail is built of elements instead.
 */
export function MailFrame({ html }: { readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current) fillFrame(frame.current, html);
  }, [html]);
  return (
    <iframe
      ref={frame}
      className={css.frame}
      title={texts.messages.preview}
      sandbox="allow-same-origin"
      // Some browsers begin with another document than the one that stays.
      onLoad={({ currentTarget }) => fillFrame(currentTarget, html)}
    />
  );
}
