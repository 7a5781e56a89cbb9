import { type AdminUser, adminUserRoutes, QUOTA_NOTE_CHARACTERS_MAX } from '@tollgate/contract/admin-user'
import { REMARK_CHARACTERS_MAX } from '@tollgate/contract/channel-fields'
import { Input, Select } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { useGroupNames } from '../../shared/api/group-names.ts'
import { Field } from '../../shared/form/field.tsx'
import { useNumberRules } from '../../shared/form/number-rules.ts'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import { useMoney } from '../../shared/format/use-money.ts'
import { newId } from '../../shared/ids/new-id.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { sessionUser } from '../../shared/session/session.ts'
import { AccountFields } from './account-fields.tsx'
import { useRefreshUsers, useUser } from './api.ts'
import { userMessages } from './i18n.ts'
import { QuotaChange } from './quota-change.tsx'

interface EditValue {
  readonly username: string
  readonly displayName: string
  readonly password: string
  readonly group: string
  readonly remark: string
  /** Quota units added to the balance; negative values are subtracted. */
  readonly delta: number | undefined
  readonly note: string
}

/**
 * Edits name, password, group, and the balance. The balance is never overwritten: the change is added to it.
 */
export function EditForm({ userId, onClose }: { readonly userId: number; readonly onClose: () => void }) {
  const t = userMessages.use()
  const { signedOrEmpty } = useNumberRules()
  const money = useMoney()
  const user = useUser(userId)
  const groups = useGroupNames()
  const refresh = useRefreshUsers()
  // An idempotency key, used as long as the form is open: a repeated save does not change the balance twice.
  const [operationKey] = useState(newId)

  async function save(value: EditValue) {
    await api.call(adminUserRoutes.update, { body: buildBody(userId, value) })
    const { delta = 0 } = value
    if (delta === 0) notifyDone(t('saved'))
    else {
      const { before, after } = await api.call(adminUserRoutes.changeQuota, {
        params: { id: userId },
        body: { delta, note: value.note.trim(), operation_key: operationKey },
      })
      const amount = money.column([before, after])
      notifyDone(t('quotaChanged', { before: amount(before), after: amount(after) }))
    }
    onClose()
    await refresh()
  }

  const options = [...new Set([...groups, ...(user.data ? [user.data.group] : [])])]
  return (
    <ResourceForm
      title={user.data ? t('form.edit', { name: user.data.username }) : t('word.edit')}
      initialValue={user.data && valueOf(user.data)}
      loadError={user.error ?? undefined}
      onReload={() => void user.refetch()}
      isEdit
      onSubmit={save}
      onClose={onClose}
    >
      <AccountFields isNew={false} isOwn={sessionUser()?.id === userId} />
      <Field name="group" label={t('word.group')} isRequired help={t('form.groupHelp')}>
        <Select options={options.map((group) => ({ value: group, label: group }))} />
      </Field>
      <Field
        name="remark"
        label={t('form.remark')}
        help={t('form.remarkHelp')}
        maxCharacters={REMARK_CHARACTERS_MAX}
      >
        <Input.TextArea autoSize={{ minRows: 1, maxRows: 4 }} />
      </Field>
      <Field name="delta" label={t('form.quota')} help={t('form.quotaHelp')} rules={[signedOrEmpty]}>
        <QuotaChange before={user.data?.quota ?? 0} refusal={user.data?.can.quota ?? undefined} />
      </Field>
      <Field
        name="note"
        label={t('form.note')}
        help={t('form.noteHelp')}
        maxCharacters={QUOTA_NOTE_CHARACTERS_MAX}
      >
        <Input />
      </Field>
    </ResourceForm>
  )
}

function valueOf(user: AdminUser): EditValue {
  return {
    username: user.username,
    displayName: user.display_name,
    password: '',
    group: user.group,
    remark: user.remark,
    delta: 0,
    note: '',
  }
}

function buildBody(id: number, { username, displayName, password, group, remark }: EditValue) {
  const names = { username: username.trim(), display_name: displayName.trim() }
  return { id, ...names, password, group, remark: remark.trim() }
}
