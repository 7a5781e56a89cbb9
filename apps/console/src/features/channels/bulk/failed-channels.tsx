import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channelRoutes } from '@tollgate/contract/channel'
import { api } from '../../../shared/api/client.ts'
import { paths } from '../../../shared/routing/paths.ts'
import { CHANNEL_KEY } from '../api.ts'
import { channelBulkMessages } from './i18n.ts'

const NAMED_MAX = 3

/** Names the first channels whose last test failed, and links to all of them. */
export function FailedChannels() {
  const t = channelBulkMessages.use()
  const { data } = useQuery({
    queryKey: [...CHANNEL_KEY, 'failed'],
    queryFn: async ({ signal }) => {
      const query = { test_outcome: 'failed', page_size: NAMED_MAX } as const
      const { data: rows, extra } = await api.callWhole(channelRoutes.search, { query, signal })
      return { names: rows.map(({ name }) => name), total: Number(extra['total']) }
    },
  })
  if (data === undefined || data.names.length === 0) return null
  const names = data.names.join(t('word.comma'))
  const more = data.total - data.names.length
  return (
    <>
      {more > 0 ? t('failedMore', { names, more }) : t('failedNames', { names })}{' '}
      <Link to={`${paths.channels}?test_outcome=failed`}>{t('showFailed')}</Link>
    </>
  )
}
