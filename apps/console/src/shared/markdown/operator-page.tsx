import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import styles from './operator-content.module.css'

const OperatorContent = lazy(async () => ({
  default: (await import('./operator-content.tsx')).OperatorContent,
}))

interface OperatorPageProps {
  /** The operator's text; empty if there is none. */
  readonly written: Pick<UseQueryResult<string>, 'data' | 'isPending'>
  readonly title: string
  /** Shown if the operator has written nothing, or if the text could not be loaded. */
  readonly children: ReactNode
}

/** A public page that the operator may replace. Nothing is shown until it is known which version applies. */
export function OperatorPage({ written, title, children }: OperatorPageProps) {
  if (written.isPending) return <div className={styles.page} aria-busy="true" />
  if (written.data === undefined || written.data.trim() === '') return children
  const isFrame = written.data.trim().startsWith('https://')
  return (
    <Suspense fallback={null}>
      <div className={isFrame ? undefined : styles.page}>
        <OperatorContent text={written.data} title={title} />
      </div>
    </Suspense>
  )
}
