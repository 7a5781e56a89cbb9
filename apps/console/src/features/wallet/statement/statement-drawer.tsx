import { useMutation } from '@tanstack/react-query'
import { Button, Drawer, Skeleton } from 'antd'
import { Icon } from '../../../shared/icon/icon.tsx'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { useStatement } from '../api.ts'
import { walletMessages } from '../i18n.ts'
import styles from './statement.module.css'
import { currentMonth, shiftedMonth } from './months.ts'
import { saveStatement } from './save-csv.ts'
import { StatementSheet } from './statement-sheet.tsx'

interface StatementDrawerProps {
  readonly month: string
  readonly onMonth: (month: string) => void
  readonly onClose: () => void
}

/** The statement of one month, to read, to print or to save as CSV. */
export function StatementDrawer({ month, onMonth, onClose }: StatementDrawerProps) {
  const t = walletMessages.use()
  const { data, error, refetch } = useStatement(month)
  const save = useMutation({ mutationFn: () => saveStatement(month) })
  return (
    <Drawer
      open
      size={720}
      title={t('statement')}
      rootClassName={styles.drawer}
      onClose={onClose}
      extra={
        <div className={styles.actions}>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {t('statement.csv')}
          </Button>
          <Button type="primary" disabled={data === undefined} onClick={() => globalThis.print()}>
            {t('statement.print')}
          </Button>
        </div>
      }
    >
      <div className={styles.months}>
        <Button
          aria-label={t('statement.earlier')}
          icon={<Icon name="chevronLeft" />}
          onClick={() => onMonth(shiftedMonth(month, -1))}
        />
        <span className="number">{month}</span>
        <Button
          aria-label={t('statement.later')}
          icon={<Icon name="chevronRight" />}
          disabled={month >= currentMonth()}
          onClick={() => onMonth(shiftedMonth(month, 1))}
        />
      </div>
      {data === undefined && error === null && <Skeleton active paragraph={{ rows: 10 }} title={false} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <StatementSheet statement={data} />}
    </Drawer>
  )
}
