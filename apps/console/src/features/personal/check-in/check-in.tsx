import { useMutation, useQuery } from '@tanstack/react-query'
import { accountRoutes } from '@tollgate/contract/account'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { Icon } from '../../../shared/icon/icon.tsx'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { QueryFailure } from '../../../shared/page/error-state.tsx'
import { calendarQuery, checkInStatusQuery, useRefreshSelf } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'
import { Section } from '../../../shared/page/section.tsx'
import { monthName, shifted } from './calendar.ts'
import styles from './check-in.module.css'
import { MonthTable } from './month-table.tsx'

/** The daily reward, and a calendar of the days on which it was taken. Days are in UTC, as on the server. */
export function CheckIn() {
  const t = personalMessages.use()
  const money = useMoney()
  const [asked, setAsked] = useState('')
  const calendar = useQuery(calendarQuery(asked))
  const status = useQuery(checkInStatusQuery)
  const refresh = useRefreshSelf()
  const checkIn = useMutation({
    mutationFn: () => api.call(accountRoutes.checkIn),
    onSuccess: async ({ quota }) => {
      setAsked('')
      notifyDone(t('checkIn.done', { amount: money.exact(quota) }))
    },
    onSettled: refresh,
  })
  const canCheckIn = calendar.data?.can_check_in === true
  return (
    <Section
      title={t('checkIn.title')}
      purpose={
        status.data === undefined ? t('checkIn.purpose') : t('checkIn.reward', { amount: rewardText() })
      }
      actions={
        <Button
          type="primary"
          disabled={!canCheckIn}
          loading={checkIn.isPending}
          onClick={() => checkIn.mutate()}
        >
          {calendar.data === undefined || canCheckIn ? t('checkIn.submit') : t('checkIn.already')}
        </Button>
      }
    >
      {calendar.isPending && <Skeleton active paragraph={{ rows: 5 }} title={false} />}
      <QueryFailure query={calendar} />
      {calendar.data !== undefined && (
        <>
          <MonthBar
            month={calendar.data.month}
            isLast={calendar.data.month >= calendar.data.today.slice(0, 'YYYY-MM'.length)}
            onChange={setAsked}
          />
          <MonthTable calendar={calendar.data} />
        </>
      )}
    </Section>
  )

  function rewardText(): string {
    const { quota_min: min = 0, quota_max: max = 0 } = status.data ?? {}
    const amount = money.column([min, max])
    return min === max ? amount(min) : `${amount(min)} – ${amount(max)}`
  }
}

interface MonthBarProps {
  readonly month: string
  /** Whether this is the latest month; later ones have no days to show yet. */
  readonly isLast: boolean
  readonly onChange: (month: string) => void
}

function MonthBar({ month, isLast, onChange }: MonthBarProps) {
  const t = personalMessages.use()
  const language = useLanguage()
  return (
    <div className={styles.bar}>
      <Button
        type="text"
        icon={<Icon name="chevronLeft" />}
        aria-label={t('checkIn.previous')}
        onClick={() => onChange(shifted(month, -1))}
      />
      <span className={styles.month} aria-live="polite">
        {monthName(month, language)}
      </span>
      <Button
        type="text"
        icon={<Icon name="chevronRight" />}
        aria-label={t('checkIn.next')}
        disabled={isLast}
        onClick={() => onChange(shifted(month, 1))}
      />
    </div>
  )
}
