import type { Translate } from '../../shared/i18n/messages.ts'
import type { AuditKey } from './i18n.ts'

/**
 * The actions that the audit log knows. An unknown action, written by a later version, is shown by its own
 * name.
 */
export const actions = [
  'create',
  'update',
  'copy',
  'remove',
  'delete',
  'promote',
  'demote',
  'enable',
  'disable',
  'quota',
  'reveal',
  'read',
  'reset',
  'reset-password',
  'change-password',
  'export',
  'refuse',
  'import',
  'bind',
  'unbind',
  'run',
  'keys',
  'lessons',
  'list-keys',
  'setup',
  'undo',
] as const

export const entities = [
  'user',
  'channel',
  'option',
  'redemption',
  'token',
  'session',
  'access-token',
  'identity',
  'log',
  'log-text',
  'job',
  'email',
  'source',
  'affinity',
  'alert-receiver',
] as const

export function actionWord(t: Translate<AuditKey>, action: string): string {
  const known = actions.find((one) => one === action)
  return known === undefined ? action : t(`action.${known}`)
}

export function entityWord(t: Translate<AuditKey>, entity: string): string {
  const known = entities.find((one) => one === entity)
  return known === undefined ? entity : t(`entity.${known}`)
}
