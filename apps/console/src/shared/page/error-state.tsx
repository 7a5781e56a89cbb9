import { failureText } from '../api/failure.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { PlainButton } from './plain-button.tsx'
import styles from './states.module.css'

/** Shows what happened and who can act, with a retry button. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = sharedMessages.use()
  return (
    <div className={styles.state} role="alert">
      <p className="ink-text">{t('state.failed')}</p>
      <p className={styles.text}>{failureText(error)}</p>
      {onRetry !== undefined && (
        <div className={styles.action}>
          <PlainButton onClick={onRetry}>{t('retry')}</PlainButton>
        </div>
      )}
    </div>
  )
}

interface FailedQuery {
  readonly data: unknown
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** The failure of a query that has nothing to show; nothing otherwise. */
export function QueryFailure({ query }: { readonly query: FailedQuery }) {
  if (query.data !== undefined || query.error === null) return null
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
}
