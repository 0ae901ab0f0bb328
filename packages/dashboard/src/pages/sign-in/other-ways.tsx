import type { SignInMethods, useSignIn } from '../../api/account.ts';
import { knowsPasskeys } from '../../api/passkeys.ts';
import { texts } from '../../texts.ts';
import css from './sign-in-page.module.css';

const { signIn: words } = texts;

interface OtherWaysProps {
  readonly methods: SignInMethods | undefined;
  readonly signIn: ReturnType<typeof useSignIn>;
  /** The page of the dashboard that was wanted. */
  readonly to: string;
  readonly onDone: () => void;
}

/** Ways in without a password. */
export function OtherWays({ methods, signIn, to, onDone }: OtherWaysProps) {
  const hasPasskeys = methods?.passkey === true && knowsPasskeys();
  if (!hasPasskeys && methods?.openid !== true) return null;
  return (
    <div className={css.others}>
      {hasPasskeys && (
        <button
          type="button"
          disabled={signIn.isPending}
          onClick={() => signIn.mutate({ passkey: true }, { onSuccess: onDone })}
        >
          {words.passkey}
        </button>
      )}
      {methods?.openid && (
        <a className={css.button} href={`/management/session/openid?to=${encodeURIComponent(to)}`}>
          {words.openid}
        </a>
      )}
    </div>
  );
}
