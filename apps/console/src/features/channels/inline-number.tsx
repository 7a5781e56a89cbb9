import type { Channel } from '@tollgate/contract/channel'
import { InputNumber } from 'antd'
import { useState } from 'react'
import { failureText } from '../../shared/api/failure.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { updateChannel, useRefreshChannels } from './api.ts'
import { channelMessages } from './i18n.ts'

interface InlineNumberProps {
  readonly channel: Channel
  readonly field: 'priority' | 'weight'
}

const PRIORITY_MIN = -999

/** Priority or weight, changed in the row itself: Enter or leaving the field saves, Escape takes it back. */
export function InlineNumber({ channel, field }: InlineNumberProps) {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  const stored = channel[field]
  const [draft, setDraft] = useState<number | null>()
  const shown = draft === undefined ? stored : draft

  async function save() {
    if (shown === null || shown === stored) return setDraft(undefined)
    try {
      await updateChannel(channel, { [field]: shown })
      notifyDone(t('saved'))
      await refresh()
    } catch (error) {
      notifyFailure(failureText(error))
    } finally {
      setDraft(undefined)
    }
  }

  return (
    <InputNumber
      size="small"
      controls={false}
      min={field === 'priority' ? PRIORITY_MIN : 0}
      precision={0}
      style={{ width: 64 }}
      aria-label={`${t(`column.${field}`)}: ${channel.name}`}
      value={shown}
      onChange={setDraft}
      onBlur={() => void save()}
      onPressEnter={() => void save()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') setDraft(undefined)
      }}
      onClick={(event) => event.stopPropagation()}
    />
  )
}
