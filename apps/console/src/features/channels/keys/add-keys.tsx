import { channelKeyRoutes } from '@tollgate/contract/channel-key'
import { Input } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { Field } from '../../../shared/form/field.tsx'
import { ResourceForm } from '../../../shared/form/resource-form.tsx'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useRefreshKeys } from './api.ts'
import { channelKeyMessages } from './i18n.ts'

interface AddKeysProps {
  readonly channelId: number
  readonly onClose: () => void
}

/** Adds keys to a channel; the existing keys keep their states. */
export function AddKeys({ channelId, onClose }: AddKeysProps) {
  const t = channelKeyMessages.use()
  const refresh = useRefreshKeys(channelId)
  async function save({ key }: { key: string }) {
    const count = await api.call(channelKeyRoutes.add, { params: { id: channelId }, body: { key } })
    notifyDone(t('added', { count }))
    onClose()
    await refresh()
  }
  return (
    <ResourceForm
      title={t('add')}
      submitLabel={t('add')}
      initialValue={{ key: '' }}
      onSubmit={save}
      onClose={onClose}
    >
      <Field name="key" label={t('addField')} isRequired help={t('addHelp')}>
        <Input.TextArea className="code" autoComplete="off" spellCheck={false} rows={12} />
      </Field>
    </ResourceForm>
  )
}
