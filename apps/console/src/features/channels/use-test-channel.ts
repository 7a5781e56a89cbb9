import type { Channel } from '@tollgate/contract/channel'
import { failureText } from '../../shared/api/failure.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { testChannel, useRefreshChannels } from './api.ts'
import { channelMessages } from './i18n/index.ts'

/** Tests a channel and shows the result; resolves to `true` if the test succeeded. */
export function useTestChannel(): (channel: Channel, model?: string) => Promise<boolean> {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  return async (channel, model) => {
    try {
      const { seconds } = await testChannel(channel, model)
      notifyDone(t('testOk', { name: channel.name, seconds: seconds.toFixed(2) }))
      return true
    } catch (error) {
      notifyFailure(t('testFailed', { name: channel.name, reason: failureText(error) }))
      return false
    } finally {
      await refresh()
    }
  }
}
