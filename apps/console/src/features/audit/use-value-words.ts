import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { dateTime } from '../../shared/format/time.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { auditMessages } from './i18n.ts'

/** Fields that hold Unix seconds; 0 and -1 mean no limit. */
const TIMES = /(?:_time|_timestamp|^valid_from|^valid_until)$/
/** Fields that hold quota units. */
const AMOUNTS = /(?:^|_)(?:quota|budget)$/
/** Status 1 and 2 have the same meaning for these entities. */
const SWITCHED: ReadonlySet<string> = new Set(['user', 'channel', 'token', 'redemption'])

/** Audit rows contain the raw numbers of the database; this turns them into labels, times and amounts. */
export function useValueWords(
  entity: string,
): (name: string, text: string | undefined) => string | undefined {
  const t = auditMessages.use()
  const { exact } = useMoney()
  const roles = new Map<number, string>([
    [USER_ROLE.user, t('role.user')],
    [USER_ROLE.admin, t('role.admin')],
    [USER_ROLE.root, t('role.root')],
  ])
  const statuses = new Map<number, string>([
    [USER_STATUS.enabled, t('word.enabled')],
    [USER_STATUS.disabled, t('word.disabled')],
  ])
  return (name, text) => {
    if (text === 'true' || text === 'false') return t(`value.${text}`)
    if (text === undefined || !/^-?\d+$/.test(text)) return text
    const value = Number(text)
    if (TIMES.test(name)) return value > 0 ? dateTime(value) : t('value.noTime')
    if (AMOUNTS.test(name)) return exact(value)
    if (name === 'role' && entity === 'user') return roles.get(value) ?? text
    if (name === 'status' && SWITCHED.has(entity)) return statuses.get(value) ?? text
    return text
  }
}
