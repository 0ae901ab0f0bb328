import { type DeploymentCheck, ok, warning } from '../check.ts';

export const openSignUp: DeploymentCheck = {
  id: 'open-sign-up',
  group: 'Security',
  title: 'accounts and tiers',
  page: 'configuration.md#configuration',
  async run({ config: { ACCOUNT_SIGNUP: who, DEFAULT_TIER: tier } }) {
    if (who !== 'open' || tier !== 'enterprise')
      return ok(`Accounts: ${who}. New projects are of the tier ${tier}.`);
    return warning(
      'Anybody can make an account (ACCOUNT_SIGNUP=open), and new projects are of the tier enterprise, with hardly a limit.',
      'Set DEFAULT_TIER to free or standard, or ACCOUNT_SIGNUP to invited.',
    );
  },
};
