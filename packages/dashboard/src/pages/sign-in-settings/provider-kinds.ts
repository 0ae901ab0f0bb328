import { texts } from '../../texts.ts';

const { signInSettings: words } = texts;

export type ProviderKind = keyof typeof words.kinds;
export type ProviderSetting = keyof typeof words.providerFields;

interface Kind {
  readonly needs: readonly ProviderSetting[];
  readonly takes: readonly ProviderSetting[];
}

/** What each provider needs and takes, as the service checks it. */
export const providerKinds: Readonly<Record<ProviderKind, Kind>> = {
  google: { needs: ['client_id', 'client_secret'], takes: ['scopes'] },
  apple: { needs: ['client_id', 'team_id', 'key_id', 'private_key'], takes: ['scopes'] },
  github: { needs: ['client_id', 'client_secret'], takes: ['base_url', 'scopes'] },
  other: { needs: ['issuer', 'client_id'], takes: ['client_secret', 'scopes'] },
};

export const isSecret = (setting: ProviderSetting): boolean =>
  setting === 'client_secret' || setting === 'private_key';
