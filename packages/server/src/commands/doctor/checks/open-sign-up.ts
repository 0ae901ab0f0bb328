import { type DeploymentCheck, ok, warning } from '../check.ts';

export const openSignUp: DeploymentCheck = {
  id: 'open-sign-up',
  group: 'Security',
  title: 'accounts and tiers',
  page: 'configuration.md#configuration',
  async run({ config: { ACCOUNT_SIGNUP: who, DEFAULT_TIER: tier } }) {
    if (who !== 'open' || tier !== 'enterprise')
      return ok(`Accounts: ${who}. New projects get the tier ${tier}.`);
    return warning(
      'Anyone can create an account (ACCOUNT_SIGNUP=open), and new projects get the tier enterprise, which has hardly any limits.',
      'Set DEFAULT_TIER to free or standard, or ACCOUNT_SIGNUP to invited.',
    );
  },
};
