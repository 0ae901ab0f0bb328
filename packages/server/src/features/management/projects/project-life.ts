import type { ProjectRecord } from '../../../calls/index.ts';
import {
  accountIn,
  type ManagementContext,
  noSuchProject,
  projectIn,
  type Role,
} from '../../../calls/management/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import {
  cloneSettings,
  createProject,
  deleteLater,
  findProjectByRef,
  findProjects,
  getProject,
  listExpiries,
  listWaitingToBeDeleted,
  projectConfiguration,
  renameProject,
  restoreProject,
  takeClaim,
} from '../../control/index.ts';
import { invalidToken, newToken } from '../../people/index.ts';
import { emailNotVerified, tokenForOthers } from '../accounts/index.ts';
import {
  changeOwner,
  findOwner,
  findRole,
  insertMember,
  listMemberships,
  type ProjectQuota,
  requireRoomForProject,
} from '../members/index.ts';

export interface ProjectLifeDeps {
  readonly quota: ProjectQuota;
  /** The tier of new projects. */
  readonly tier: string;
  /** The address of a project. */
  readonly addressOf: (ref: string) => string;
  /** The page that takes the claim of a temporary project. */
  readonly claimAddress: (token: string) => string;
}

export interface NewProject {
  readonly name: string;
  /** For how many seconds; without it the project stays. */
  readonly temporaryS?: number | undefined;
  /** The ref of a project whose settings it gets. */
  readonly settingsOf?: string | undefined;
}

/** Creates a project that the account owns. This is the only time that its API key is returned. */
export async function createOwnProject(
  deps: ProjectLifeDeps,
  context: ManagementContext,
  { name, temporaryS, settingsOf }: NewProject,
) {
  const { control } = context;
  const { id: accountId, isVerified } = accountIn(context);
  if (!isVerified) throw emailNotVerified();
  if (context.caller?.token?.projectIds) throw tokenForOthers();
  await requireRoomForProject(deps.quota, control, accountId);
  const claim = temporaryS === undefined ? undefined : newToken();
  const source = settingsOf === undefined ? undefined : await ownProject(context, settingsOf);
  const made = await createProject(control, {
    name,
    tier: deps.tier,
    ...(claim !== undefined && {
      temporary: { lastsS: temporaryS ?? 0, claimHash: sha256(claim) },
    }),
  });
  const project = source
    ? await cloneSettings(control, { from: source, to: made.project.ref })
    : made.project;
  await insertMember(control, { projectId: project.id, accountId, role: 'owner' });
  const expiresAt = temporaryS === undefined ? undefined : new Date(Date.now() + temporaryS * 1000);
  return {
    id: project.id,
    project: {
      ...describeProject(deps, project, 'owner', expiresAt),
      apiKey: made.apiKey,
      ...(claim !== undefined && { claimUrl: deps.claimAddress(claim) }),
    },
  };
}

/** Projects of the account, the newest first. */
export async function listOwnProjects(
  deps: ProjectLifeDeps,
  context: ManagementContext,
  { limit, before }: { limit: number; before: string | undefined },
) {
  const { control } = context;
  const found = await listMemberships(control, accountIn(context).id, { before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const allowed = context.caller?.token?.projectIds;
  const ids = page.map(({ projectId }) => projectId).filter((id) => !allowed || allowed.includes(id));
  const projects = await findProjects(control, ids);
  const expiries = await listExpiries(control, ids);
  const deleted = await listWaitingToBeDeleted(control, ids);
  const data = page.flatMap<object>(({ projectId, role }) => {
    const project = projects.find(({ id }) => id === projectId);
    if (project) {
      const expiresAt = expiries.find(({ id }) => id === projectId)?.expiresAt;
      return [describeProject(deps, project, role, expiresAt)];
    }
    const gone = deleted.find(({ id }) => id === projectId);
    return gone ? [{ ref: gone.ref, name: gone.name, role, deletedAt: gone.deletedAt }] : [];
  });
  return { data, nextCursor: found.length > limit ? (page.at(-1)?.projectId ?? null) : null };
}

export async function readProject(deps: ProjectLifeDeps, context: ManagementContext) {
  const { control } = context;
  const { ref, role } = projectIn(context);
  const project = await getProject(control, ref);
  const [expiry] = await listExpiries(control, [project.id]);
  return describeProject(deps, project, role, expiry?.expiresAt);
}

export async function renameOwnProject(deps: ProjectLifeDeps, context: ManagementContext, name: string) {
  const { ref, role } = projectIn(context);
  return describeProject(deps, await renameProject(context.control, ref, name), role);
}

/** The project is gone for every caller at once, and for good after seven days. */
export async function deleteOwnProject(context: ManagementContext): Promise<void> {
  await deleteLater(context.control, projectIn(context).ref);
}

export async function restoreOwnProject(deps: ProjectLifeDeps, context: ManagementContext) {
  const { ref, role } = projectIn(context);
  return describeProject(deps, await restoreProject(context.control, ref), role);
}

/** Makes the account the owner of a temporary project, which stays from then on. */
export async function claimProject(deps: ProjectLifeDeps, context: ManagementContext, token: string) {
  const { control } = context;
  const { id: accountId, isVerified } = accountIn(context);
  if (!isVerified) throw emailNotVerified();
  const project = await takeClaim(control, sha256(token));
  const owner = project && (await findOwner(control, project.id));
  if (!project || owner === undefined) throw invalidToken();
  if (owner !== accountId) {
    await requireRoomForProject(deps.quota, control, accountId);
    await changeOwner(control, { projectId: project.id, from: owner, to: accountId, stays: false });
  }
  return { id: project.id, project: describeProject(deps, project, 'owner') };
}

/** A project that the account works on. */
async function ownProject(context: ManagementContext, ref: string): Promise<ProjectRecord> {
  const { control } = context;
  const project = await findProjectByRef(control, ref);
  const role = project && (await findRole(control, accountIn(context).id, project.id));
  if (!project || !role) throw noSuchProject(ref);
  return project;
}

/** Projects of an account by their refs; fails for others. */
export async function idsOfOwn(context: ManagementContext, refs: readonly string[]): Promise<string[]> {
  return Promise.all(refs.map(async (ref) => (await ownProject(context, ref)).id));
}

export async function refsOf(
  { control }: ManagementContext,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const projects = await findProjects(control, ids);
  return new Map(projects.map(({ id, ref }) => [id, ref]));
}

/** A project as those who work on it see it. */
interface ToldProject {
  readonly ref: string;
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly tier: string;
  readonly allowedOrigins: readonly string[];
  readonly settings: object;
  readonly createdAt: Date;
  /** Of a temporary project. */
  readonly expiresAt?: Date;
}

function describeProject(
  { addressOf }: ProjectLifeDeps,
  project: ProjectRecord,
  role: Role,
  expiresAt?: Date,
): ToldProject {
  const { ref, name, tier, createdAt } = project;
  const { settings, allowedOrigins } = projectConfiguration(project);
  return {
    ref,
    name,
    role,
    url: addressOf(ref),
    tier,
    allowedOrigins,
    settings,
    createdAt,
    ...(expiresAt && { expiresAt }),
  };
}
