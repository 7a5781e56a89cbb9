import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import styles from './figures.module.css'

interface FiguresProps {
  readonly isBusy?: boolean
  readonly children: ReactNode
}

/** The few numbers that a page is about, in one row; on a phone three to a row. */
export function Figures({ isBusy = false, children }: FiguresProps) {
  return (
    <dl className={styles.figures} aria-busy={isBusy}>
      {children}
    </dl>
  )
}

interface FigureProps {
  readonly label: string
  /** `undefined` while it comes: a placeholder keeps its room. */
  readonly value: string | undefined
  /** What the name means, or every digit where the value leaves some out. */
  readonly hint?: string | undefined
}

/** The mouse, the keys and a finger all find the hint. */
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
