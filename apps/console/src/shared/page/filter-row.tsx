import { type FormEvent, type ReactNode, useState } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import styles from './filter-row.module.css'
import { PlainButton } from './plain-button.tsx'
import { useIsPhone } from './use-is-phone.ts'

interface FilterRowProps {
  /** Stays visible on a phone; usually a `SearchInput`. */
  readonly search?: ReactNode
  /** The number of active filters, shown on the folded button. */
  readonly activeCount: number
  /** If given, the row is a form with a search button; otherwise each filter applies by itself. */
  readonly onSubmit?: () => void
  readonly children?: ReactNode
}

/** The filters of a page in one row; on a phone they are folded into one button. */
export function FilterRow({ search, activeCount, onSubmit, children }: FilterRowProps) {
  const t = sharedMessages.use()
  const isPhone = useIsPhone()
  const [isOpen, setIsOpen] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
    setIsOpen(false)
  }
  const submitButton = onSubmit !== undefined && (
    <span className={styles.submit}>
      <PlainButton isPrimary isSubmit>
        {t('search')}
      </PlainButton>
    </span>
  )
  if (!isPhone) {
    return (
      <search>
        <form className="line-8" onSubmit={submit}>
          {search}
          {children}
          {submitButton}
        </form>
      </search>
    )
  }
  return (
    <search>
      <form className="stack-8" onSubmit={submit}>
        <div className={styles.bar}>
          {search}
          {children !== undefined && (
            <PlainButton isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              <Icon name="filter" />
              {activeCount > 0 ? t('filters.count', { count: activeCount }) : t('filters')}
            </PlainButton>
          )}
        </div>
        {isOpen && (
          <div className={styles.panel}>
            {children}
            {submitButton}
          </div>
        )}
      </form>
    </search>
  )
}
