import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../shared/routing/paths.ts'
import type { CallsBehind } from './calls-behind.ts'
import styles from './calls-link.module.css'

interface CallsLinkProps {
  /** `undefined`: the log has no filter for these calls, so no link is shown. */
  readonly calls: CallsBehind
  /** The link keeps the colour of the surrounding text, for numbers in a row of others. */
  readonly isQuiet?: boolean
  readonly children: ReactNode
}

/** Links a number to the calls behind it, in the usage log. */
export function CallsLink({ calls, isQuiet = false, children }: CallsLinkProps) {
  if (calls === undefined) return children
  return (
    <Link to={paths.usageLog} search={calls} className={isQuiet ? styles.quiet : undefined}>
      {children}
    </Link>
  )
}
