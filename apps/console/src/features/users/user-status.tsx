import type { AdminUser } from '@tollgate/contract/admin-user'
import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { Label, Status } from '../../shared/status/status.tsx'
import { userMessages } from './i18n.ts'

/**
 * Enabled, disabled, or permanently deactivated. Imported users may have another status, which does not allow
 * signing in.
 */
export function UserStatus({ user }: { readonly user: Pick<AdminUser, 'status' | 'DeletedAt'> }) {
  const t = userMessages.use()
  if (user.DeletedAt !== null) return <Status tone="idle" label={t('status.deactivated')} />
  if (user.status === USER_STATUS.enabled) return <Status tone="ok" label={t('word.enabled')} />
  if (user.status === USER_STATUS.disabled) return <Status tone="act" label={t('word.disabled')} />
  return <Status tone="act" label={t('status.other', { status: user.status })} />
}

export function UserRole({ role }: { readonly role: number }) {
  const t = userMessages.use()
  if (role >= USER_ROLE.root) return <Label text={t('role.root')} />
  return role >= USER_ROLE.admin ? <Label text={t('role.admin')} /> : <span>{t('role.user')}</span>
}
