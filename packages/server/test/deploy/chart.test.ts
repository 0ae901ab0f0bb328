// @postgres newest
// @needs helm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Helm, type Rendered, requireKnown } from '../support/helm.ts';
import { readPage, repository, tablesOf } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const least = ['existingSecret=plinth', 'config.S3_BUCKET=files'];
const everything = [
  ...least,
  'autoscaling.enabled=true',
  'ingress.enabled=true',
  'ingress.host=api.example.com',
  'ingress.tlsSecret=certificate',
  'podMonitor.enabled=true',
  'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring',
  'networkPolicy.egress[0].ports[0].port=5432',
  'secretEnv.DATABASE_URL.name=cluster-app',
  'secretEnv.DATABASE_URL.key=uri',
  'migrate.ownerEmail=ada@example.com',
];

/** The variables of docs/configuration.md. */
const variables = tablesOf(readPage('docs/configuration.md'))
  .find(({ head }) => head[0] === 'variable')!
  .rows.map(([name]) => name!);

let helm: Helm;
beforeAll(() => {
  helm = new Helm();
});
afterAll(() => helm[Symbol.dispose]());

const find = (objects: readonly Rendered[], kind: string) => objects.find((one) => one.kind === kind)!;

test.each([
  ['the least', least],
  ['everything', everything],
  ['a folder', ['existingSecret=plinth', 'config.FILES_FOLDER=/files', 'files.existingClaim=shared']],
])('with %s set it is clean, and Kubernetes knows every object', async (_what, settings) => {
  expect(helm.lint(...settings)).toBe('');
  const objects = helm.render(...settings);
  expect(objects.length).toBeGreaterThan(5);
  // A kind of the Prometheus operator, not of Kubernetes.
  for (const object of objects.filter(({ kind }) => kind !== 'PodMonitor')) await requireKnown(object);
});

test('the check finds an object that Kubernetes would refuse', async () => {
  const service = find(helm.render(...least), 'Service');
  const planted = { ...service, spec: { ...service.spec, ports: [{ name: 'http' }] } };
  await expect(requireKnown(planted)).rejects.toThrow('port');
});

test('every pod runs as an ordinary user, with nothing to write to and no rights', () => {
  const objects = helm.render(...everything).filter(({ kind }) => /^(Deployment|Job)$/.test(kind));
  expect(objects).toHaveLength(2);
  for (const { spec } of objects) {
    const pod = spec.template.spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const container of pod.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.requests).toHaveProperty('memory');
    }
  }
});

test('a rollout takes no node away before another is ready, and lets calls end', () => {
  const { spec } = find(helm.render(...least, 'config.SHUTDOWN_DELAY_MS=7500'), 'Deployment');
  expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(7.5 + 30);
  expect(spec.template.spec.topologySpreadConstraints).toHaveLength(2);
  expect(find(helm.render(...least), 'PodDisruptionBudget').spec.maxUnavailable).toBe(1);
});

test('the probes ask for what a node answers', async () => {
  const [container] = find(helm.render(...least), 'Deployment').spec.template.spec.containers;
  expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const { path, port } = container[probe].httpGet;
    expect(port).toBe('http');
    await expect.poll(async () => (await fetch(`${t.url}${path}`)).status).toBe(200);
  }
});

test('the admin port is in no Service, and open only to those who are named', () => {
  const [closed, open] = [least, everything].map((settings) => helm.render(...settings));
  expect(find(closed!, 'Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  expect(JSON.stringify(find(closed!, 'NetworkPolicy').spec.ingress)).toBe('[{"ports":[{"port":"http"}]}]');
  const [, metrics] = find(open!, 'NetworkPolicy').spec.ingress;
  expect(metrics).toEqual({
    ports: [{ port: 'admin' }],
    from: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
  });
  expect(find(open!, 'PodMonitor').spec.podMetricsEndpoints).toMatchObject([
    { port: 'admin', path: '/metrics' },
  ]);
});

test('the databases are prepared before anything else is there', () => {
  const { metadata, spec } = find(helm.render(...least), 'Job');
  expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  const pod = spec.template.spec;
  expect(pod.containers[0].args).toEqual(['migrate']);
  // What the release brings is not there yet.
  expect(pod.serviceAccountName).toBeUndefined();
  expect(JSON.stringify(pod)).not.toContain('configMap');
  const setup = find(helm.render(...everything), 'Job');
  expect(setup.spec.template.spec.containers[0].args).toEqual(['setup', 'ada@example.com']);
});

test('every variable can be set, secrets by reference only', () => {
  const { properties } = JSON.parse(
    readFileSync(join(repository, 'deploy/chart/values.schema.json'), 'utf8'),
  );
  const plain = Object.keys(properties.config.properties);
  expect(Object.keys(properties.secretEnv.properties).toSorted()).toEqual(variables.toSorted());
  const secrets = variables.filter((name) => !plain.includes(name));
  expect(secrets.toSorted()).toEqual([
    'ACCOUNT_OIDC_CLIENT',
    'CELL_DATABASE_URLS',
    'DATABASE_URL',
    'FUNCTIONS_POOL_SECRET',
    'OLD_SECRET_KEYS',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'POOLED_DATABASE_URLS',
    'REDIS_URL',
    'S3_SECRET_ACCESS_KEY',
    'SECRET_KEY',
    'SMTP_URL',
  ]);
  expect(plain.filter((name) => !variables.includes(name))).toEqual([]);
  const given = plain
    .filter((name) => !/^(PORT|ADMIN_PORT|SHUTDOWN_DELAY_MS)$/.test(name))
    .map((name) => `config.${name}=1000000000000`);
  const objects = helm.render(
    ...given,
    'files.existingClaim=shared',
    ...secrets.flatMap((name) => [`secretEnv.${name}.name=own`, `secretEnv.${name}.key=${name}`]),
  );
  const [container] = find(objects, 'Deployment').spec.template.spec.containers;
  const env = new Map<string, { value?: string }>(
    container.env.map((one: { name: string }) => [one.name, one]),
  );
  expect([...env.keys()].toSorted()).toEqual(variables.toSorted());
  expect(env.get('CELL_MAX_BYTES')?.value).toBe('1000000000000');
  for (const name of secrets)
    expect(env.get(name)).toEqual({ name, valueFrom: { secretKeyRef: { name: 'own', key: name } } });
});

test.each([
  [['config.S3_BUCKET=files'], 'DATABASE_URL is missing'],
  [['existingSecret=plinth'], 'Where do files go?'],
  [['existingSecret=plinth', 'config.FILES_FOLDER=/files'], 'files.existingClaim'],
  [[...least, 'config.SECRET_KEY=plain'], "additional properties 'SECRET_KEY' not allowed"],
  [[...least, 'config.PROT=80'], "additional properties 'PROT' not allowed"],
  [[...least, 'replicsa=3'], "additional properties 'replicsa' not allowed"],
])('%j is refused', (settings, said) => {
  expect(() => helm.render(...settings)).toThrow(said);
});
