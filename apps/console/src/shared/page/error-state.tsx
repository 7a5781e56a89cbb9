import { failureText } from '../api/failure.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { PlainButton } from './plain-button.tsx'
import styles from './states.module.css'

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Shows what happened and who can act, with a retry button. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const t = sharedMessages.use()
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{t('state.failed')}</p>
      <p className={styles.text}>{failureText(error)}</p>
      {onRetry !== undefined && (
        <div className={styles.action}>
          <PlainButton onClick={onRetry}>{t('retry')}</PlainButton>
        </div>
      )}
    </div>
  )
}
