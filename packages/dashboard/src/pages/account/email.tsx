import { useAccount } from '../../api/account.ts';
import { useVerifyAgain } from '../../api/account-details.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { account: words } = texts;

export function Email() {
  const { email, email_verified: isVerified } = useAccount();
  const verify = useVerifyAgain();
  const say = useToast();
  return (
    <Section title={words.email}>
      <p>
        {email}{' '}
        <Tag tone={isVerified ? 'good' : 'warning'}>{isVerified ? words.verified : words.notVerified}</Tag>
      </p>
      {!isVerified && (
        <>
          <p>{words.notVerifiedText}</p>
          {verify.error && <Problem error={verify.error} />}
          <button
            type="button"
            disabled={verify.isPending}
            onClick={() => verify.mutate(undefined, { onSuccess: () => say({ text: words.verifySent }) })}
          >
            {words.verifyAgain}
          </button>
        </>
      )}
    </Section>
  );
}
