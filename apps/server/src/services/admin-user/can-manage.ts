import type { UserAction, UserPermissions } from '@tollgate/contract/admin-user'
import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { type Language, type ProblemCode, problem } from '@tollgate/problems/problem'

/**
 * The single rule for what an administrator may do with a user: nothing to a user of equal or higher role,
 * and nothing that could leave the site without a super admin. Handlers check it before they act, and lists
 * show its results.
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

/** Returns why the action is refused, or `undefined` if it is allowed. */
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

/** Maps each action to `null` if it is allowed, or to the reason for its refusal. */
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

/** Viewing is harmless: the super admin may view every user, and every user may view their own account. */
function viewRefusal(actor: Manager, target: Managed): ProblemCode | undefined {
  if (actor.role >= USER_ROLE.root || actor.id === target.id) return undefined
  return rankRefusal(actor, target)
}

/**
 * Applies to every super admin, even if there are several: then concurrent requests cannot remove the last
 * one.
 */
function rootRefusal({ role }: Managed, action: UserAction): ProblemCode | undefined {
  if (role < USER_ROLE.root) return undefined
  if (action === 'disable') return 'user_root_disable'
  if (action === 'delete') return 'user_root_delete'
  return action === 'demote' ? 'user_root_demote' : undefined
}

/**
 * The super admin may edit their own name and balance, because nobody ranks above them. Other administrators
 * may not manage themselves.
 */
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

/** Refuses actions that do not fit the user's current state, for example enabling an enabled user. */
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
