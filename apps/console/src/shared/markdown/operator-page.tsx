import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import styles from './operator-content.module.css'

const OperatorContent = lazy(async () => ({
  default: (await import('./operator-content.tsx')).OperatorContent,
}))

interface OperatorPageProps {
  /** What the operator wrote; empty when nothing. */
  readonly written: Pick<UseQueryResult<string>, 'data' | 'isPending'>
  readonly title: string
  /** Shown when the operator wrote nothing, and when that could not be asked. */
  readonly children: ReactNode
}

/** A public page that the operator may replace with their own. Nothing is shown before it is known which. */
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
