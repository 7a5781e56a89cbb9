import type { Channel } from '@tollgate/contract/channel'
import { failureText } from '../../shared/api/failure.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
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

  async function save(value: number) {
    try {
      await updateChannel(channel, { [field]: value })
      notifyDone(t('saved'))
      await refresh()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }

  return (
    <DraftNumber
      field={field}
      label={`${t(`column.${field}`)}: ${channel.name}`}
      stored={channel[field] ?? undefined}
      onSave={save}
    />
  )
}
