import type { ModelStatus } from '@tollgate/contract/status-page'
import { statusPageMessages } from './i18n.ts'
import styles from './page.module.css'

const DAY_MS = 86_400_000

/** A model with a bar for each day; the title of a bar has its date and share. */
export function ModelLine({ status, today }: { readonly status: ModelStatus; readonly today: string }) {
  const t = statusPageMessages.use()
  const { model, availability, days } = status
  const dateOf = (index: number) =>
    new Date(Date.parse(today) - (days.length - 1 - index) * DAY_MS).toISOString().slice(0, 10)
  return (
    <li className={styles.model}>
      <div className={styles.head}>
        <span className="code">{model}</span>
        <span className="number">{availability === null ? t('noCalls') : percent(availability)}</span>
      </div>
      <div className={styles.days} aria-hidden="true">
        {days.map((share, index) => (
          <span
            key={dateOf(index)}
            className={`${styles.day} ${styles[toneOf(share)]}`}
            title={t('day', { date: dateOf(index), share: share === null ? t('noCalls') : percent(share) })}
          />
        ))}
      </div>
    </li>
  )
}

/** Rounded down, so that 100 % means that every call was served. */
export function percent(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`
}

export function toneOf(share: number | null): 'none' | 'ok' | 'look' | 'act' {
  if (share === null) return 'none'
  if (share >= 0.99) return 'ok'
  return share >= 0.95 ? 'look' : 'act'
}
