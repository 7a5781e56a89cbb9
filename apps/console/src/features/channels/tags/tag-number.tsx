import { channelRoutes } from '@tollgate/contract/channel'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useRefreshChannels } from '../api.ts'
import { DraftNumber } from '../draft-number.tsx'
import type { TagGroup } from './group-by-tag.ts'
import { channelTagMessages } from './i18n.ts'

interface TagNumberProps {
  readonly group: TagGroup
  readonly field: 'priority' | 'weight'
}

/**
 * Priority or weight of all channels of a tag; asks for confirmation before it overwrites different values.
 */
export function TagNumber({ group, field }: TagNumberProps) {
  const t = channelTagMessages.use()
  const refresh = useRefreshChannels()
  const { tag } = group

  async function save(value: number) {
    await confirm({
      title: t('setTitle', { tag, field: t(field), value }),
      consequence: t('setText'),
      confirmLabel: t('set'),
      action: async () => {
        const count = await api.call(channelRoutes.updateTag, { body: { tag, [field]: value } })
        notifyDone(t('changed', { count }))
        await refresh()
      },
    })
  }

  return (
    <DraftNumber
      field={field}
      label={`${t(field)}: ${tag}`}
      stored={group[field]}
      placeholder={t('differs')}
      onSave={save}
    />
  )
}
