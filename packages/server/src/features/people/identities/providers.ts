import type { Project } from '../../../calls/index.ts';
import type { IdentityDeps } from './deps.ts';
import { providerNotFound } from './errors.ts';
import { GitHubProvider } from './github-provider.ts';
import { OpenIdIssuers } from './openid-issuers.ts';
import { OpenIdProvider } from './openid-provider.ts';
import { isProviderName, type Provider } from './provider.ts';
import { checkProviderSettings } from './provider-settings.ts';

/** The identity providers of projects. */
export class Providers {
  readonly #deps: Pick<IdentityDeps, 'outbound' | 'findProvider'>;
  readonly #issuers: OpenIdIssuers;

  constructor(deps: Pick<IdentityDeps, 'outbound' | 'findProvider'>) {
    this.#deps = deps;
    this.#issuers = new OpenIdIssuers(deps.outbound);
  }

  async get(project: Project, name: string): Promise<Provider> {
    const found = isProviderName(name) ? await this.#deps.findProvider(project, name) : undefined;
    if (found === undefined) throw providerNotFound(name);
    const settings = checkProviderSettings(name, found);
    return name === 'github'
      ? new GitHubProvider(this.#deps.outbound, settings)
      : new OpenIdProvider(this.#issuers, name, settings);
  }
}
