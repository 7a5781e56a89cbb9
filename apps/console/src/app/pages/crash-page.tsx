import type { ErrorComponentProps } from '@tanstack/react-router'
import { failureKind, failureText } from '../../shared/api/failure.ts'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { shellMessages } from '../shell/i18n.ts'
import { FullPage } from './full-page.tsx'
import styles from './full-page.module.css'

/** Where every failure of a page ends that nothing nearer has caught. The shell around it keeps working. */
export function CrashPage({ error }: ErrorComponentProps) {
  const t = shellMessages.use()
  const reload = (
    <PlainButton isPrimary onClick={() => globalThis.location.reload()}>
      {t('crash.reload')}
    </PlainButton>
  )
  if (failureKind(error) === 'network') {
    return (
      <FullPage title={t('offline.title')} text={t('offline.text')}>
        {reload}
      </FullPage>
    )
  }
  return (
    <FullPage title={t('crash.title')} text={t('crash.text')}>
      {reload}
      <details className={styles.details}>
        <summary>{t('crash.details')}</summary>
        <pre>{failureText(error)}</pre>
      </details>
    </FullPage>
  )
}
