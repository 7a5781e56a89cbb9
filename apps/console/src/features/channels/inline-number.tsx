import type { Channel } from '@tollgate/contract/channel'
import { notifyDone } from '../../shared/notify/notify.ts'
import { orNotify } from '../../shared/notify/notifying-failure.ts'
import { updateChannel, useRefreshChannels } from './api.ts'
import { DraftNumber } from './draft-number.tsx'
import { channelMessages } from './i18n/index.ts'

interface InlineNumberProps {
  readonly channel: Channel
  readonly field: 'priority' | 'weight'
}

/** Priority or weight of one channel. */
export function InlineNumber({ channel, field }: InlineNumberProps) {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()

  const save = (value: number) =>
    orNotify(async () => {
      await updateChannel(channel, { [field]: value })
      notifyDone(t('saved'))
      await refresh()
    })

  return (
    <DraftNumber
      field={field}
      label={`${t(`column.${field}`)}: ${channel.name}`}
      stored={channel[field] ?? undefined}
      onSave={save}
    />
  )
}
