import { type UserAction, type UserPermissions, USER_ROLE, USER_STATUS } from '@tollgate/contract/admin-user'
import { type Language, type ProblemCode, problem } from '@tollgate/kit/problem'

/**
 * The one rule over what may be done with a user: never to an equal or higher one, never anything that could leave the
 * site without a super admin. Handlers ask it before they act, lists show its answers.
 */
export interface Manager {
  readonly id: number
  readonly role: number
}

export interface Managed {
  readonly id: number
  readonly role: number
  readonly status: number
  readonly isDeactivated: boolean
}

/** Why not; `undefined`: may. */
export function refusalOf(actor: Manager, target: Managed, action: UserAction): ProblemCode | undefined {
  if (action === 'view') return viewRefusal(actor, target)
  if (target.isDeactivated) return 'user_gone'
  return (
    rootRefusal(target, action) ??
    selfRefusal(actor, target, action) ??
    rankRefusal(actor, target) ??
    STATES[action]?.(actor, target)
  )
}

export function requireManage(actor: Manager, target: Managed, action: UserAction): void {
  const code = refusalOf(actor, target, action)
  if (code !== undefined) throw problem(code)
}

/** Each action with `null`, or why not. */
export function permissionsOf(actor: Manager, target: Managed, language: Language): UserPermissions {
  const may = (action: UserAction): string | null => {
    const code = refusalOf(actor, target, action)
    return code === undefined ? null : problem(code).textIn(language)
  }
  return {
    view: may('view'),
    edit: may('edit'),
    quota: may('quota'),
    promote: may('promote'),
    demote: may('demote'),
    enable: may('enable'),
    disable: may('disable'),
    delete: may('delete'),
  }
}

/** Looking does no harm: the super admin sees everybody, and everybody themselves. */
function viewRefusal(actor: Manager, target: Managed): ProblemCode | undefined {
  if (actor.role >= USER_ROLE.root || actor.id === target.id) return undefined
  return rankRefusal(actor, target)
}

/** Holds for every super admin, also for one of several: then none can be lost, whatever happens at once. */
function rootRefusal({ role }: Managed, action: UserAction): ProblemCode | undefined {
  if (role < USER_ROLE.root) return undefined
  if (action === 'disable') return 'user_root_disable'
  if (action === 'delete') return 'user_root_delete'
  return action === 'demote' ? 'user_root_demote' : undefined
}

/** Nobody stands above the super admin who could change their name or balance: that they do themselves. */
function selfRefusal(actor: Manager, target: Managed, action: UserAction): ProblemCode | undefined {
  if (actor.id !== target.id) return undefined
  return mayEditSelf(actor, action) ? undefined : 'user_self'
}

function rankRefusal(actor: Manager, target: Managed): ProblemCode | undefined {
  if (actor.id === target.id) return undefined
  return actor.role > target.role ? undefined : 'user_rank'
}

function mayEditSelf(actor: Manager, action: UserAction): boolean {
  return actor.role >= USER_ROLE.root && (action === 'edit' || action === 'quota' || action === 'promote')
}

/** What makes no sense for who they are now. */
const STATES: Readonly<
  Partial<Record<UserAction, (actor: Manager, target: Managed) => ProblemCode | undefined>>
> = {
  promote: (actor, { role }) => {
    if (actor.role < USER_ROLE.root) return 'user_promote_root_only'
    return role >= USER_ROLE.admin ? 'user_already_admin' : undefined
  },
  demote: (_actor, { role }) => (role < USER_ROLE.admin ? 'user_already_ordinary' : undefined),
  enable: (_actor, { status }) => (status === USER_STATUS.enabled ? 'user_already_enabled' : undefined),
  disable: (_actor, { status }) => (status === USER_STATUS.enabled ? undefined : 'user_already_disabled'),
}
