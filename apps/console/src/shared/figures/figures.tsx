import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import styles from './figures.module.css'

interface FiguresProps {
  readonly isBusy?: boolean
  readonly children: ReactNode
}

/** The key figures of a page in one row; on a phone there are three per row. */
export function Figures({ isBusy = false, children }: FiguresProps) {
  return (
    <dl className={styles.figures} aria-busy={isBusy}>
      {children}
    </dl>
  )
}

interface FigureProps {
  readonly label: string
  /** `undefined` while loading: a placeholder reserves its space. */
  readonly value: string | undefined
  /** An explanation of the name, or all digits of a shortened value. */
  readonly hint?: string | undefined
}

/** Shows the hint on hover, on keyboard focus and on touch. */
export function Figure({ label, value, hint }: FigureProps) {
  const figure = (
    <div
      className={styles.figure}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focus shows the hint
      tabIndex={hint === undefined ? undefined : 0}
    >
      <dt>{label}</dt>
      <dd>{value ?? <span className={styles.placeholder} aria-hidden="true" />}</dd>
    </div>
  )
  if (hint === undefined) return figure
  return (
    <Tooltip title={hint} trigger={['hover', 'focus']}>
      {figure}
    </Tooltip>
  )
}
