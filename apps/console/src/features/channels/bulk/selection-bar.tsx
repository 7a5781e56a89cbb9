import { CHANNEL_STATUS, channelRoutes } from '@tollgate/contract/channel'
import { Button } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { Field } from '../../../shared/form/field.tsx'
import { ResourceForm } from '../../../shared/form/resource-form.tsx'
import { notifyDone, notifyFailure } from '../../../shared/notify/notify.ts'
import { useRefreshChannels } from '../api.ts'
import styles from '../channels.module.css'
import { TagInput } from '../tags/tag-input.tsx'
import { channelBulkMessages } from './i18n.ts'

interface SelectionBarProps {
  readonly ids: readonly number[]
  readonly onDone: () => void
}

/** What can be done with the selected channels. */
export function SelectionBar({ ids, onDone }: SelectionBarProps) {
  const t = channelBulkMessages.use()
  const refresh = useRefreshChannels()
  const [isTagging, setIsTagging] = useState(false)
  const body = { ids: [...ids] }
  const count = ids.length

  async function setStatus(status: 1 | 2) {
    try {
      const changed = await api.call(channelRoutes.statusBatch, { body: { ...body, status } })
      notifyDone(t(status === CHANNEL_STATUS.enabled ? 'enabled' : 'disabled', { count: changed }))
      await refresh()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  const remove = () =>
    confirm({
      title: t('removeTitle', { count }),
      consequence: t('removeText'),
      confirmLabel: t('remove'),
      isDestructive: true,
      action: async () => {
        notifyDone(t('removed', { count: await api.call(channelRoutes.removeBatch, { body }) }))
        onDone()
        await refresh()
      },
    })
  async function tag({ name }: { name: string }) {
    const tagged = await api.call(channelRoutes.tagBatch, { body: { ...body, tag: name.trim() || null } })
    notifyDone(t('tagged', { count: tagged }))
    setIsTagging(false)
    await refresh()
  }

  if (count === 0) return null
  return (
    <fieldset className={styles.selection} aria-label={t('selected', { count })}>
      <strong className="number">{t('selected', { count })}</strong>
      <Button size="small" onClick={() => void setStatus(CHANNEL_STATUS.enabled)}>
        {t('enable')}
      </Button>
      <Button size="small" onClick={() => void setStatus(CHANNEL_STATUS.disabled)}>
        {t('disable')}
      </Button>
      <Button size="small" onClick={() => setIsTagging(true)}>
        {t('tag')}
      </Button>
      <Button size="small" danger onClick={() => void remove()}>
        {t('remove')}
      </Button>
      {isTagging && (
        <ResourceForm
          title={t('tagTitle', { count })}
          initialValue={{ name: '' }}
          onSubmit={tag}
          onClose={() => setIsTagging(false)}
        >
          <Field name="name" label={t('tagField')} help={t('tagHelp')}>
            <TagInput />
          </Field>
        </ResourceForm>
      )}
    </fieldset>
  )
}
