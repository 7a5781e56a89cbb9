import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import { notifyDone } from '../../shared/notify/notify.ts'
import { AccountFields } from './account-fields.tsx'
import { useRefreshUsers } from './api.ts'
import { userMessages } from './i18n.ts'

const nobody = { username: '', displayName: '', password: '' }

/**
 * Creates an ordinary user. Group, quota and role are set afterwards by an administrator with the necessary
 * rights.
 */
export function CreateForm({ onClose }: { readonly onClose: () => void }) {
  const t = userMessages.use()
  const refresh = useRefreshUsers()
  async function create(
    { username, displayName, password }: typeof nobody,
    { operationKey }: { readonly operationKey: string },
  ) {
    await api.call(adminUserRoutes.create, {
      body: { username, password, display_name: displayName },
      operationKey,
    })
    notifyDone(t('done.create', { name: username.trim() }))
    onClose()
    await refresh()
  }
  return (
    <ResourceForm
      title={t('create')}
      initialValue={nobody}
      submitLabel={t('word.create')}
      onSubmit={create}
      onClose={onClose}
    >
      <AccountFields isNew />
    </ResourceForm>
  )
}
