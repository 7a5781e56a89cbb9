import { lazy, Suspense } from 'react'
import { useStatus } from '../../shared/session/status.ts'
import styles from './footer.module.css'

const OperatorLine = lazy(async () => ({
  default: (await import('../../shared/markdown/operator-content.tsx')).OperatorLine,
}))

/** Under every page: the operator's own line, or ours. */
export function Footer() {
  const { footer_html: written, version } = useStatus()
  return (
    <footer className={styles.footer}>
      {written === '' ? (
        <span>Tollgate {version}</span>
      ) : (
        <Suspense fallback={null}>
          <OperatorLine text={written} />
        </Suspense>
      )}
    </footer>
  )
}
