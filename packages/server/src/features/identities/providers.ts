import type { Project } from '../projects/index.ts';
import { providerNotFound } from './errors.ts';
import { GitHubProvider } from './github-provider.ts';
import { OpenIdIssuers } from './openid-issuers.ts';
import { OpenIdProvider } from './openid-provider.ts';
import { isProviderName, type Provider } from './provider.ts';
import { checkProviderSettings } from './provider-settings.ts';
import type { IdentityServices } from './services.ts';

/** The identity providers of projects. */
export class Providers {
  readonly #services: Pick<IdentityServices, 'outbound' | 'findProvider'>;
  readonly #issuers: OpenIdIssuers;

  constructor(services: Pick<IdentityServices, 'outbound' | 'findProvider'>) {
    this.#services = services;
    this.#issuers = new OpenIdIssuers(services.outbound);
  }

  async get(project: Project, name: string): Promise<Provider> {
    const found = isProviderName(name) ? await this.#services.findProvider(project, name) : undefined;
    if (found === undefined) throw providerNotFound(name);
    const settings = checkProviderSettings(name, found);
    return name === 'github'
      ? new GitHubProvider(this.#services.outbound, settings)
      : new OpenIdProvider(this.#issuers, name, settings);
  }
}
