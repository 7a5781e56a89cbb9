import { USER_ROLE, USER_STATUS } from '@tollgate/contract/admin-user'
import { useMoney } from '../../shared/format/use-money.ts'
import { auditMessages } from './i18n.ts'

/** The trail keeps the numbers of the table; of a user they are shown as the words and amounts they stand for. */
export function useValueWords(
  entity: string,
): (name: string, text: string | undefined) => string | undefined {
  const t = auditMessages.use()
  const { exact } = useMoney()
  const roles = new Map([
    [USER_ROLE.user, t('role.user')],
    [USER_ROLE.admin, t('role.admin')],
    [USER_ROLE.root, t('role.root')],
  ] as const)
  const statuses = new Map([
    [USER_STATUS.enabled, t('status.enabled')],
    [USER_STATUS.disabled, t('status.disabled')],
  ] as const)
  return (name, text) => {
    if (entity !== 'user' || text === undefined || !/^-?\d+$/.test(text)) return text
    const words: ReadonlyMap<number, string> | undefined = { role: roles, status: statuses }[name]
    if (words !== undefined) return words.get(Number(text)) ?? text
    return name === 'quota' ? exact(Number(text)) : text
  }
}
