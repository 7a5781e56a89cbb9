import { type Channel, channelRoutes } from '@tollgate/contract/channel'
import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { dateTime } from '../../shared/format/time.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { useRefreshChannels } from './api.ts'
import { balanceText } from './balance-text.ts'
import { channelMessages } from './i18n/index.ts'
import { NoValue } from '../../shared/format/no-value.tsx'

interface BalanceProps {
  readonly channel: Channel
  readonly type: ChannelType | undefined
}

/** The balance last reported by the upstream, in its own currency; a click fetches it again. */
export function Balance({ channel, type }: BalanceProps) {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  const [isAsking, setIsAsking] = useState(false)
  if (type?.can_tell_balance !== true) return <NoValue />
  const { balance_updated_time: toldAt } = channel

  async function ask() {
    setIsAsking(true)
    try {
      const { extra } = await api.callWhole(channelRoutes.updateBalance, { params: { id: channel.id } })
      const reported = { balance: Number(extra['balance']), balance_currency: String(extra['currency']) }
      notifyDone(t('balanceOk', { name: channel.name, balance: balanceText(reported) }))
      await refresh()
    } catch (error) {
      notifyFailure(t('balanceFailed', { name: channel.name, reason: failureText(error) }))
    } finally {
      setIsAsking(false)
    }
  }
  return (
    <Tooltip title={toldAt > 0 ? dateTime(toldAt) : t('balanceAsk')}>
      <Button
        type="text"
        size="small"
        className="number"
        loading={isAsking}
        danger={toldAt > 0 && channel.balance <= 0}
        aria-label={`${t('balanceAsk')}: ${channel.name}`}
        onClick={(event) => {
          event.stopPropagation()
          void ask()
        }}
      >
        {toldAt > 0 ? balanceText(channel) : t('balanceUnknown')}
      </Button>
    </Tooltip>
  )
}
