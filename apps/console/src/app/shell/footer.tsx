import { useIsFetching } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { paths } from '../../shared/routing/paths.ts'
import { useStatus } from '../../shared/session/status.ts'
import styles from './footer.module.css'

const OperatorLine = lazy(async () => ({
  default: (await import('../../shared/markdown/operator-content.tsx')).OperatorLine,
}))

/** Shown below every page: the operator's own footer, or ours if there is none. */
export function Footer() {
  const { footer_html: written, version } = useStatus()
  // While a page is only a placeholder, its content will push the footer down when it arrives; the footer
  // stays invisible until then.
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  return (
    <footer className={isWaiting ? `${styles.footer} ${styles.waiting}` : styles.footer}>
      {written === '' ? (
        <span>
          <Link to={paths.about}>Tollgate</Link> {version}
        </span>
      ) : (
        <Suspense fallback={null}>
          <OperatorLine text={written} />
        </Suspense>
      )}
    </footer>
  )
}
