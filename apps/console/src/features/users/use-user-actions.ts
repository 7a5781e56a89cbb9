import { type AdminUser, adminUserRoutes } from '@tollgate/contract/admin-user'
import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'
import { confirm, type Question } from '../../shared/confirm/confirm.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { useRefreshUsers } from './api.ts'
import { userMessages } from './i18n.ts'

type Deed = 'promote' | 'demote' | 'enable' | 'disable' | 'delete'

interface Openers {
  readonly onOpen: (user: AdminUser) => void
  readonly onEdit: (user: AdminUser) => void
}

/**
 * Actions on one user. For each action the server reports whether the reader may perform it; a refused one is
 * disabled, with the reason. A deactivated user can only be viewed.
 */
export function useUserActions({ onOpen, onEdit }: Openers): (user: AdminUser) => readonly RowAction[] {
  const t = userMessages.use()
  const refresh = useRefreshUsers()

  async function perform(user: AdminUser, action: Deed) {
    await api.call(adminUserRoutes.manage, { body: { id: user.id, action } })
    notifyDone(t(`done.${action}`, { name: user.username }))
    await refresh()
  }
  const ask = (user: AdminUser, action: Deed) => {
    const name = user.username
    const question: Question = {
      title: t(`ask.${action}`, { name }),
      consequence: t(`ask.${action}Text`),
      confirmLabel: t(`action.${action}`),
      isDestructive: action === 'delete' || action === 'disable',
      typeToConfirm: action === 'delete' ? name : undefined,
      action: () => perform(user, action),
    }
    return confirm(question)
  }

  return (user) => {
    const details = {
      key: 'details',
      label: t('word.details'),
      isInline: true,
      refusal: user.can.view ?? undefined,
      onSelect: () => onOpen(user),
    }
    if (user.DeletedAt !== null) return [details]
    const deed = (action: Deed): RowAction => ({
      key: action,
      label: t(`action.${action}`),
      refusal: user.can[action] ?? undefined,
      isDestructive: action === 'delete',
      onSelect: () => void ask(user, action),
    })
    return [
      details,
      {
        key: 'edit',
        label: t('word.edit'),
        isInline: true,
        refusal: user.can.edit ?? undefined,
        onSelect: () => onEdit(user),
      },
      deed(user.role >= USER_ROLE.admin ? 'demote' : 'promote'),
      deed(user.status === USER_STATUS.enabled ? 'disable' : 'enable'),
      deed('delete'),
    ]
  }
}
