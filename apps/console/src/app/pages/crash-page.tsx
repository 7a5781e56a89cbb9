import type { ErrorComponentProps } from '@tanstack/react-router'
import { failureKind, failureText } from '../../shared/api/failure.ts'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { isServerThere } from '../load-chunk.ts'
import { shellMessages } from '../shell/i18n.ts'
import { FullPage } from './full-page.tsx'
import styles from './full-page.module.css'

/**
 * Shown for every failure of a page that no inner error boundary has caught. The shell around it keeps
 * working.
 */
export function CrashPage({ error }: ErrorComponentProps) {
  const t = shellMessages.use()
  if (failureKind(error) === 'network') {
    return (
      <FullPage title={t('offline.title')} text={t('offline.text')}>
        <PlainButton isPrimary onClick={() => void reloadFromServer()}>
          {t('offline.retry')}
        </PlainButton>
      </FullPage>
    )
  }
  return (
    <FullPage title={t('crash.title')} text={t('crash.text')}>
      <PlainButton isPrimary onClick={() => globalThis.location.reload()}>
        {t('crash.reload')}
      </PlainButton>
      <details className={styles.details}>
        <summary>{t('crash.details')}</summary>
        <pre>{failureText(error)}</pre>
      </details>
    </FullPage>
  )
}

/** Reloads only if the server responds: otherwise the browser's own error page would replace this one. */
async function reloadFromServer(): Promise<void> {
  if (await isServerThere()) globalThis.location.reload()
}
