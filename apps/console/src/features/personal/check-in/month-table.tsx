import type { checkInCalendarSchema } from '@tollgate/contract/account'
import type { z } from 'zod'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { Icon } from '../../../shared/icon/icon.tsx'
import { personalMessages } from '../i18n/index.ts'
import { monthName, weekdayNames, weeksOf } from './calendar.ts'
import styles from './check-in.module.css'

type Calendar = z.output<typeof checkInCalendarSchema>

export function MonthTable({ calendar }: { readonly calendar: Calendar }) {
  const t = personalMessages.use()
  const language = useLanguage()
  const credits = new Map(calendar.days.map(({ day, quota }) => [day, quota]))
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">
        {t('checkIn.caption', { month: monthName(calendar.month, language), count: credits.size })}
      </caption>
      <thead>
        <tr>
          {weekdayNames(language).map((name, weekday) => (
            // oxlint-disable-next-line react/no-array-index-key -- the names repeat, their places do not
            <th key={weekday} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(calendar.month).map((week) => (
          <tr key={week.find((day) => day !== undefined)}>
            {week.map((day, weekday) =>
              day === undefined ? (
                // oxlint-disable-next-line react/no-array-index-key -- an empty place has nothing but its place
                <td key={weekday}>&nbsp;</td>
              ) : (
                <Day key={day} day={day} quota={credits.get(day)} isToday={day === calendar.today} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayProps {
  readonly day: string
  /** The quota credited on that day; `undefined` if none. */
  readonly quota: number | undefined
  readonly isToday: boolean
}

function Day({ day, quota, isToday }: DayProps) {
  const t = personalMessages.use()
  const money = useMoney()
  const name = [styles.day, isToday && styles.today, quota !== undefined && styles.taken].filter(Boolean)
  return (
    <td>
      <span
        className={name.join(' ')}
        title={quota === undefined ? undefined : money.exact(quota)}
        aria-current={isToday ? 'date' : undefined}
      >
        <span className="number">{Number(day.slice(-2))}</span>
        {quota !== undefined && (
          <>
            <Icon name="check" sizePx={12} />
            <span className="visually-hidden">{t('checkIn.credited', { amount: money.exact(quota) })}</span>
          </>
        )}
      </span>
    </td>
  )
}
