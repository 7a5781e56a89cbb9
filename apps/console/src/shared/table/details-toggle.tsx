import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import styles from './details-toggle.module.css'

interface DetailsToggleProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** A button that opens the details of a row, as an alternative to a click on the row. */
export function DetailsToggle({ isOpen, onToggle }: DetailsToggleProps) {
  const t = sharedMessages.use()
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-expanded={isOpen}
      aria-label={isOpen ? t('hideDetails') : t('showDetails')}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} sizePx={14} />
    </button>
  )
}
