import { useIsFetching } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { paths } from '../../shared/routing/paths.ts'
import { useStatus } from '../../shared/session/status.ts'
import styles from './footer.module.css'

const OperatorLine = lazy(async () => ({
  default: (await import('../../shared/markdown/operator-content.tsx')).OperatorLine,
}))

/** Under every page: the operator's own line, or ours. */
export function Footer() {
  const { footer_html: written, version } = useStatus()
  // A page that has only its outline pushes what is under it down when the rest comes: until then nothing is seen there.
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
