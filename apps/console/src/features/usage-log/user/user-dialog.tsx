import { Button, Modal } from 'antd'
import type { LogRow } from '@tollgate/contract/log'
import type { ReactNode } from 'react'
import { Amount } from '../../../shared/format/amount.tsx'
import { useAccount, useLogStat } from '../api.ts'
import type { LogQuery } from '../filters/search.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import styles from './user-dialog.module.css'

export type LogUser = Pick<LogRow, 'user_id' | 'username'>

interface UserDialogProps {
  readonly user: LogUser
  /** The time range of the page, to which the figures apply. */
  readonly range: Pick<LogQuery, 'start_timestamp' | 'end_timestamp'>
  readonly onShowOnly: () => void
  readonly onClose: () => void
}

/** The user who made a call: balance, and usage in the time range on screen. Shown only to admins. */
export function UserDialog({ user, range, onShowOnly, onClose }: UserDialogProps) {
  const t = usageLogMessages.use()
  const account = useAccount(user.user_id)
  const ofAccount = (shown: (of: NonNullable<typeof account.data>) => ReactNode) =>
    account.data ? shown(account.data) : account.isError ? '–' : '…'
  const { data, error, refetch } = useLogStat({ isAdmin: true, query: { ...range, username: user.username } })
  return (
    <Modal
      open
      width={400}
      title={user.username}
      onCancel={onClose}
      footer={<Button onClick={onShowOnly}>{t('user.showOnly')}</Button>}
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <dl className={styles.facts} aria-busy={data === undefined}>
          <dt>{t('user.id')}</dt>
          <dd className="number">{user.user_id}</dd>
          <dt>{t('word.balance')}</dt>
          <dd className="number">
            {ofAccount(({ quota }) => (
              <Amount units={quota} />
            ))}
          </dd>
          <dt>{t('user.used')}</dt>
          <dd className="number">
            {ofAccount(({ used_quota: used }) => (
              <Amount units={used} />
            ))}
          </dd>
          <dt>{t('user.requests')}</dt>
          <dd className="number">{ofAccount(({ request_count: count }) => groupedInteger(count))}</dd>
          <dt>{t('user.spent')}</dt>
          <dd className="number">{data ? <Amount units={data.quota} /> : '…'}</dd>
          <dt>{t('user.calls')}</dt>
          <dd className="number">{data ? groupedInteger(data.count) : '…'}</dd>
          <dt>{t('user.tokens')}</dt>
          <dd className="number">{data ? groupedInteger(data.token) : '…'}</dd>
        </dl>
      )}
    </Modal>
  )
}
