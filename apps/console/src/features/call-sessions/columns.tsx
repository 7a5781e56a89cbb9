import type { CallSession } from '@tollgate/contract/call-session'
import { groupedInteger } from '../../shared/format/money.ts'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { callSessionMessages } from './i18n.ts'
import { cachedShare } from './share.ts'

/** The beginning of the id tells sessions apart; the whole is in the tooltip. */
const ID_CHARACTERS = 8

/** Users and channels are shown to admins only. */
export function useSessionColumns(isAdmin: boolean): readonly Column<CallSession>[] {
  const t = callSessionMessages.use()
  const columns: readonly (Column<CallSession> & { readonly isForAdmins?: boolean })[] = [
    momentColumn({ key: 'last', title: t('column.last'), phone: 'detail', seconds: (row) => row.last_at }),
    momentColumn({ key: 'first', title: t('column.first'), phone: 'more', seconds: (row) => row.first_at }),
    {
      key: 'session',
      title: t('column.session'),
      phone: 'title',
      render: ({ session }) => (
        <span className="code" title={session}>
          {session.slice(0, ID_CHARACTERS)}
        </span>
      ),
    },
    {
      key: 'user',
      title: t('word.user'),
      isForAdmins: true,
      phone: 'more',
      render: ({ username }) => username,
    },
    {
      key: 'client',
      title: t('column.client'),
      phone: 'detail',
      render: ({ client, client_version: version }) =>
        client === 'other' ? '' : `${client} ${version}`.trim(),
    },
    {
      key: 'calls',
      title: t('word.calls'),
      phone: 'more',
      render: ({ calls, errors }) => {
        const counts = { calls: groupedInteger(calls + errors), errors: groupedInteger(errors) }
        return <span className="number">{t(errors > 0 ? 'callsWithErrors' : 'calls', counts)}</span>
      },
    },
    {
      key: 'input',
      title: t('word.input'),
      isNumber: true,
      phone: 'more',
      render: (row) => groupedInteger(row.prompt_tokens),
    },
    { key: 'cached', title: t('column.cached'), isNumber: true, phone: 'detail', render: cachedShare },
    amountColumn({ key: 'saved', title: t('column.saved'), phone: 'more', amount: (row) => row.cache_saved }),
    amountColumn({ key: 'cost', title: t('word.cost'), phone: 'value', amount: (row) => row.quota }),
    {
      key: 'channels',
      title: t('word.channel'),
      isForAdmins: true,
      phone: 'more',
      render: ({ channels }) => channels.map(({ channel_id: id }) => `#${id}`).join(', '),
    },
  ]
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}
